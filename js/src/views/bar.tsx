/** The top line: who asks, for how long already, and the way out. */

import { countdown, locked } from "../store.ts";
import * as S from "../strings.ts";
import { type CardProps, idOf } from "./props.ts";

/** `0:42`, `12:05`, `1:02:05` */
export function clock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const pad = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60) % 60;
  const hours = Math.floor(seconds / 3600);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** Time left as words for screen readers, said once at each of two moments. */
function announcement(left: number): string {
  const within = (seconds: number) => left <= seconds * 1000 && left > (seconds - 5) * 1000;
  return within(60) ? S.minuteLeft : within(10) ? S.secondsLeft : "";
}

function Clock({ state, now }: CardProps) {
  const time = countdown(state, now);
  if (!time) return <span class="nbask-wait">{S.waiting(clock(now - state.ask.opened))}</span>;
  return (
    <span class="nbask-wait">
      {time.left > 0 ? S.left(clock(time.left)) : S.timeUp}
      {time.paused && state.ask.pausable && S.paused}
      <span class="nbask-sr" role="status">
        {announcement(time.left)}
      </span>
    </span>
  );
}

export function Bar(props: CardProps) {
  const { state, view } = props;
  const { asker } = state.ask;
  return (
    <div class="nbask-bar">
      <span class="nbask-who">
        <b id={idOf(view, "asker")} dir="auto">
          {asker.label}
        </b>{" "}
        {asker.detail && <span dir="auto">{asker.detail}</span>}
      </span>
      {!state.closed && <Clock {...props} />}
    </div>
  );
}

/** Drawn in the bar's corner, but last in the card: nobody's first Tab should be on the way out. */
export const Close = ({ state, dispatch }: CardProps) => (
  <button
    type="button"
    key="close"
    class="nbask-x"
    aria-label={S.cancel}
    title={S.cancel}
    aria-disabled={locked(state)}
    onClick={() => dispatch({ type: "cancel" })}
  >
    <span aria-hidden="true">×</span>
  </button>
);

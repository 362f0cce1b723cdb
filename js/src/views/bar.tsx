/** The top line: who asks, for how long already, and the way out. */

import { Component } from "preact";
import { S } from "../strings.ts";
import type { AskWire } from "../wire.ts";
import type { CardProps } from "./props.ts";

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
  if (left <= 0 || left > 60_000) return "";
  return left > 10_000 ? S.minuteLeft : S.secondsLeft;
}

/** A component with a state of its own, so that a tick redraws the clock and not the card. */
class Clock extends Component<{ ask: AskWire }, { now: number }> {
  override state = { now: Date.now() };
  #timer: ReturnType<typeof setInterval> | undefined;

  override componentDidMount(): void {
    this.#timer = setInterval(() => this.setState({ now: Date.now() }), 1000);
  }

  override componentWillUnmount(): void {
    clearInterval(this.#timer);
  }

  override render() {
    const { opened, deadline } = this.props.ask;
    const { now } = this.state;
    if (deadline === null) return <span class="nbask-wait">{S.waiting(clock(now - opened))}</span>;
    return (
      <span class="nbask-wait">
        {S.left(clock(deadline - now))}
        <span class="nbask-sr" role="status">
          {announcement(deadline - now)}
        </span>
      </span>
    );
  }
}

export function Bar({ state, dispatch, view }: CardProps) {
  const { asker } = state.ask;
  return (
    <div class="nbask-bar">
      <span class="nbask-who">
        <b id={`nbask-${view}-asker`} dir="auto">
          {asker.label}
        </b>{" "}
        {asker.detail && <span dir="auto">{asker.detail}</span>}
      </span>
      <Clock ask={state.ask} />
      <button
        type="button"
        class="nbask-x"
        aria-label={S.cancel}
        title={S.cancel}
        aria-disabled={state.sending !== null || state.closed}
        onClick={() => dispatch({ type: "cancel" })}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M4.5 4.5l7 7m0-7l-7 7" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
        </svg>
      </button>
    </div>
  );
}

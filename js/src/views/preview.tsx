/** The preview pane: follows the option looked at, and keeps its size while what it shows changes. */

import { Component, type ComponentChildren, createRef } from "preact";
import { S } from "../strings.ts";
import type { QuestionProps } from "./props.ts";
import { Rich } from "./rich.tsx";

const optionAt = (target: EventTarget | null): string | null =>
  target instanceof Element ? (target.closest("[data-option]")?.getAttribute("data-option") ?? null) : null;

export class Previews extends Component<QuestionProps & { children: ComponentChildren }, { looked: string | null }> {
  override state = { looked: null };
  readonly #pane = createRef<HTMLElement>();
  #tallest = 0;
  #width = 0;

  override componentDidMount(): void {
    this.#keepSize();
  }

  override componentDidUpdate(): void {
    this.#keepSize();
  }

  /** The pane never gets shorter than it was, until the card's width changes. */
  #keepSize(): void {
    const pane = this.#pane.current;
    if (!pane) return;
    if (pane.clientWidth !== this.#width) {
      this.#width = pane.clientWidth;
      this.#tallest = 0;
      pane.style.minHeight = "";
    }
    this.#tallest = Math.max(this.#tallest, pane.offsetHeight);
    pane.style.minHeight = `${this.#tallest}px`;
  }

  override render() {
    const { question, entry, children } = this.props;
    const withPreview = question.options.filter((option) => option.preview);
    const wanted = [this.state.looked, ...entry.selected];
    const shown =
      wanted.map((id) => withPreview.find((option) => option.id === id)).find((option) => option) ?? withPreview[0];
    // What was looked at last, by pointer or focus, stays while either is on its way to the pane.
    const look = (event: Event) => {
      const option = optionAt(event.target);
      if (option !== null) this.setState({ looked: option });
    };
    const leave = ({ currentTarget: around }: MouseEvent) => {
      const focus = document.activeElement;
      this.setState({ looked: around instanceof Node && around.contains(focus) ? optionAt(focus) : null });
    };
    const focusOut = ({ currentTarget: around, relatedTarget: to }: FocusEvent) => {
      if (!(around instanceof Node && to instanceof Node && around.contains(to))) this.setState({ looked: null });
    };
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithMouseEvents: it only watches where the person looks; focus is watched too
      <div class="nbask-cols" onMouseOver={look} onMouseLeave={leave} onFocusIn={look} onFocusOut={focusOut}>
        {children}
        {shown?.preview && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keys
          <section ref={this.#pane} class="nbask-pane" tabIndex={0} aria-label={S.preview(shown.label)}>
            <div class="nbask-cap nbask-short nbask-small nbask-muted" aria-hidden="true" dir="auto">
              {S.preview(shown.label)}
            </div>
            <Rich key={shown.id} rich={shown.preview} name="nbask-html" />
          </section>
        )}
      </div>
    );
  }
}

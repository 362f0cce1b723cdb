/** Every word a card says, in one table, so that it can be translated. */

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and c` */
const list = (parts: string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

export const S = {
  // the bar
  waiting: (time: string) => `waiting ${time}`,
  left: (time: string) => `${time} left`,
  minuteLeft: "One minute left",
  secondsLeft: "Ten seconds left",
  cancel: "Cancel",
  // questions
  question: (number: number) => `Question ${number}`,
  questions: "Questions",
  optional: "optional",
  recommended: "Recommended",
  other: "Other",
  otherHint: "Type your own answer",
  note: "Add a note to the answer (optional)",
  textHint: "Type your answer",
  preview: (label: string) => `Preview: ${label}`,
  answered: "answered",
  range: (min: number | null, max: number | null) => {
    const least = min ?? 0;
    if (max === null) return least > 1 ? `choose at least ${least}` : least === 1 ? "choose one or more" : "choose any";
    if (least === max) return `choose ${max}`;
    return least > 0 ? `choose ${least} to ${max}` : `choose up to ${max}`;
  },
  chosen: (count: number) => `${count} chosen`,
  // what is missing or wrong, said at the question
  needOption: "Choose an option.",
  needOptions: "Choose at least one option.",
  needText: "Type an answer.",
  needOther: "Type your own answer, or choose an option.",
  needOtherTicked: "Type your own answer, or untick Other.",
  atLeast: (count: number) => `Choose at least ${count}.`,
  atMost: (count: number, chosen: number) => `Choose at most ${count}; ${chosen} are chosen.`,
  at: (question: string, problem: string) => `${question}: ${problem}`,
  // the footer
  submit: "Submit",
  submitMany: (count: number) => (count > 0 ? `Submit ${plural(count, "answer", "answers")}` : "Submit"),
  next: "Next",
  back: "Back",
  discuss: "Discuss first",
  discussLabel: "What should be said or explained first?",
  send: "Send",
  decline: "Decline",
  leave: "Cancel and lose what you typed?",
  keep: "Keep answering",
  leaveYes: "Cancel the question",
  sending: "Sending…",
  // the review
  review: "Review",
  change: "Change",
  changeOf: (question: string) => `Change the answer to ${question}`,
  notAnswered: "not answered",
  unfinished: "not finished",
  quoted: (text: string) => `“${text}”`,
  list,
  noteSaid: (text: string) => `note: ${text}`,
  // keys
  hintChoose: (last: number) => (last > 1 ? `1–${last} choose` : "1 choose"),
  hintAnswer: (last: number) => (last > 1 ? `1–${last} answer` : "1 answer"),
  hintEnter: "Enter submit",
  hintEnterArea: "Ctrl+Enter submit",
  hintNext: "Enter next",
  hintNextArea: "Ctrl+Enter next",
  hintEscape: "Esc cancel",
  hintKeys: "? keys",
  keysTitle: "Keys, while the focus is in this card",
  keys: [
    ["1–9", "Choose that option"],
    ["↑ ↓", "Move between options"],
    ["Space", "Tick or untick"],
    ["Enter", "Submit, or go to the next question"],
    ["Ctrl+Enter", "The same from a text of several lines"],
    ["← →", "Move between questions, on the tabs"],
    ["Esc", "Leave a text field; otherwise cancel"],
    ["?", "Show or hide this list"],
  ],
  // when a card cannot be drawn
  otherVersion: "This page and the kernel have different versions of nbask. Reload the page.",
  unreadable: "This question could not be read. Run %nbask pending in a cell to show it again.",
  unknownKind: (kind: string) =>
    `This page's nbask cannot draw a question of the kind “${kind}”. You can only decline or cancel it here.`,
} as const;

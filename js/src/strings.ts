/** Every word a card says, in one table, so that it can be translated; import it whole, as `S`. */

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and c` */
export const list = (parts: string[]): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

// the bar
export const waiting = (time: string) => `waiting ${time}`;
export const left = (time: string) => `${time} left`;
export const minuteLeft = "One minute left";
export const secondsLeft = "Ten seconds left";
export const timeUp = "time is up";
export const paused = " · paused";
export const cancel = "Cancel";
// questions
export const question = (number: number) => `Question ${number}`;
export const questions = "Questions";
export const optional = "optional";
export const recommended = "Recommended";
export const other = "Other";
export const otherHint = "Type your own answer";
export const note = "Add a note to the answer (optional)";
export const textHint = "Type your answer";
export const secretHint = "Shown as dots, and never saved";
export const preview = (label: string) => `Preview: ${label}`;
export const answered = "answered";
export const range = (min: number | null, max: number | null) => {
  const least = min ?? 0;
  if (max === null) return least > 1 ? `choose at least ${least}` : least === 1 ? "choose one or more" : "choose any";
  if (least === max) return `choose ${max}`;
  return least > 0 ? `choose ${least} to ${max}` : `choose up to ${max}`;
};
export const chosen = (count: number) => `${count} chosen`;
export const bounds = (min: number | null, max: number | null): string | null => {
  if (min === null) return max === null ? null : `at most ${max}`;
  return max === null ? `at least ${min}` : `${min} to ${max}`;
};
export const lines = (min: number | null, max: number | null): string => {
  const how = bounds(min, max);
  return how ? `one on each line, ${how}` : "one on each line";
};
export const filter = (count: number) => `Filter ${count} options`;
export const matches = (count: number, all: number) => `${count} of ${all} shown`;
// a consent
export const open = "Open";
export const accept = "Accept";
export const opens = "Opens in a new tab:";
export const host = (host: string) => `on ${host}`;
export const noOpening = "Only http and https addresses can be opened from here.";
// what is missing or wrong, said at the question
export const needOption = "Choose an option.";
export const needOptions = "Choose at least one option.";
export const needText = "Type an answer.";
export const needOther = "Type your own answer, or choose an option.";
export const needOtherTicked = (other: string) => `Type your own answer, or untick ${other}.`;
export const atLeast = (count: number) => `Choose at least ${count}.`;
export const atMost = (count: number, chosen: number) => `Choose at most ${count}; ${chosen} are chosen.`;
export const least = (what: string) => `At least ${what}.`;
export const most = (what: string) => `At most ${what}.`;
export const characters = (count: number) => plural(count, "character", "characters");
export const entries = (count: number) => plural(count, "entry", "entries");
export const needEntries = "Type at least one entry.";
export const notEmail = "Type an email address, like name@example.org.";
export const notUri = "Type a whole address, like https://example.org.";
export const notPattern = (pattern: string) => `This does not fit the pattern ${pattern}`;
export const notNumber = "Type a number, like 2.5.";
export const notInteger = "Type a whole number, like 3.";
export const notDate = "Choose a whole date.";
export const notDatetime = "Choose a date and a time.";
export const mend = (count: number) => `${plural(count, "field needs", "fields need")} another look.`;
export const at = (question: string, problem: string) => `${question}: ${problem}`;
// the footer
export const submit = "Submit";
export const submitMany = (count: number) => (count > 0 ? `Submit ${plural(count, "answer", "answers")}` : "Submit");
export const next = "Next";
export const back = "Back";
export const discuss = "Discuss first";
export const discussLabel = "What should be said or explained first?";
export const send = "Send";
export const decline = "Decline";
export const leave = "Cancel and lose what you typed?";
export const keep = "Keep answering";
export const leaveYes = "Cancel the question";
export const sending = "Sending…";
export const stalled = "The kernel has not answered yet. It may be busy: your answer counts as soon as it reads it.";
export const late = "This was already answered.";
export const gone = "The kernel is gone; this cannot be answered any more.";
export const onlyFields = (asker: string, count: number) =>
  `${asker} will see only ${count === 1 ? "this field" : `these ${count} fields`}`;
export const notify = "Notify me";
export const notifyHint = "Let this page show a desktop notification when a question comes";
export const messageFrom = (asker: string) => `From ${asker}`;
// the review
export const review = "Review";
export const change = "Change";
export const changeOf = (question: string) => `Change the answer to ${question}`;
export const notAnswered = "not answered";
export const unfinished = "not finished";
export const quoted = (text: string) => `“${text}”`;
export const noteSaid = (text: string) => `note: ${text}`;
// keys
export const hintChoose = (last: number) => (last > 1 ? `1–${last} choose` : "1 choose");
export const hintAnswer = (last: number) => (last > 1 ? `1–${last} answer` : "1 answer");
export const hintEnter = "Enter submit";
export const hintEnterArea = "Ctrl+Enter submit";
export const hintNext = "Enter next";
export const hintNextArea = "Ctrl+Enter next";
export const hintEscape = "Esc cancel";
export const hintKeys = "? keys";
export const keysTitle = "Keys, while the focus is in this card";
export const keyDigit = "Choose that option";
export const keyArrows = "Move between options";
export const keySpace = "Tick or untick";
export const keySubmit = "Submit";
export const keyEnter = "Submit, or go to the next question";
export const keyArea = "The same from a text of several lines";
export const keyTabs = "Move between questions, on the tabs";
export const keyEscape = "Leave a text field; otherwise cancel";
export const keyHelp = "Show or hide this list";
// when a card cannot be drawn
export const otherVersion = "This page and the kernel have different versions of nbask. Reload the page.";
export const unreadable = "This question could not be read. Run %nbask pending in a cell to show it again.";
export const unknownKind = (kind: string) =>
  `This page's nbask cannot draw a question of the kind “${kind}”. You can only decline or cancel it here.`;
// the inbox
export const inbox = "Inbox";
export const wait = (count: number) => `${plural(count, "question waits", "questions wait")} for you`;
export const nothing = "Nothing is asked. Every question appears here, also one that comes while no cell runs.";
export const inboxGone = "The kernel is gone; nothing can be asked here any more. Run %nbask inbox again.";
export const show = "Show in the notebook";
export const showOf = (question: string) => `${show}: ${question}`;
export const ended = "Ended";
export const notDrawn = "This question could not be drawn here. Run %nbask pending in a cell to show it there.";

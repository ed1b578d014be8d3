function folded(title, text, isOpen) {
  const box = made("details");
  box.append(made("summary", title));
  box.open = isOpen;
  const fill = () => {
    if (!box.open || box.children.length > 1) return;
    const inside = made("pre", text());
    inside.tabIndex = 0;
    box.append(inside);
  };
  box.addEventListener("toggle", fill);
  fill();
  return box;
}

const told = {
  line: (number, remark, kind) => {
    const part = made("p", null, kind ? "event highlight" : "event");
    part.append(...line(number));
    if (typeof remark === "number") part.append(" ", made("span", `(${data.texts[remark]})`, "remark"));
    return part;
  },
  secret: (...facts) => { const part = told.line(...facts); part.append(" ", made("small", "hidden", "tag")); return part; },
  fault: (text) => made("p", data.texts[text], "bad"),
  note: (text) => made("p", `✎ ${data.texts[text]}`, "note"),
  caster: (text) => made("p", data.texts[text], "note caster"),
  talk: (seat, text) => {
    const part = made("p", null, `talk ${seatColour(seat)}`);
    part.append(seatName(seat), made("q", data.texts[text]));
    return part;
  },
};

function thought(seat, text) {
  const quote = made("blockquote", null, `thought ${seatColour(seat)}`);
  const long = text.length > 420 && !data.open && !state.open;
  quote.append(made("small", `${data.seats[seat].name} thinks`), made("p", long ? `${text.slice(0, 400)} …` : text));
  if (long) quote.append(button("Show all", (event) => { event.target.remove(); quote.children[1].textContent = text; }));
  return quote;
}

function attempt(found, number, of) {
  const parts = [], title = of > 1 ? `Attempt ${number}: ` : "";
  if (found.outcome !== "answer") {
    parts.push(made("p", `✗ ${title}${found.outcome}${found.what ? ` (${found.what})` : ""}`, "bad"));
    if (found.why !== null) parts.push(made("p", data.texts[found.why]));
  }
  if (found.messages.length) parts.push(folded(`${title}Prompt, ${found.messages.length} messages`, () => prompt(found), state.open));
  if (found.reply !== null) parts.push(folded(`${title}Raw answer`, () => data.texts[found.reply], state.open));
  if (found.spent) parts.push(made("p", found.spent, "quiet"));
  return parts;
}

function prompt(found) {
  return found.messages.map((number) => {
    const [role, ...texts] = data.messages[number];
    return `[${role}]\n${texts.map((text) => data.texts[text]).join("\n\n")}`;
  }).join("\n\n");
}

function drawAsked(step) {
  const { ask } = seen(state.step), seat = step.seat;
  if (seat === null) return at("asked").replaceChildren();
  if (!ask) {
    const note = `The prompt, thoughts and answer of ${data.seats[seat].name} are hidden in this view.`;
    return at("asked").replaceChildren(made("p", note, "quiet"));
  }
  const parts = [];
  if (ask.question !== null) parts.push(folded("Question", () => data.texts[ask.question], state.open));
  if (ask.action !== null) {
    const answer = made("p", ask.how === "forced" ? "No choice: " : "Answer: ", "answer");
    answer.append(made("code", data.texts[ask.action]));
    parts.push(answer);
  }
  ask.attempts.forEach((found, place) => parts.push(...attempt(found, place + 1, ask.attempts.length)));
  at("asked").replaceChildren(...parts);
}

function drawStory(step) {
  const { story, ask } = seen(state.step), first = story.filter(([kind]) => kind === "fault" || kind === "talk").length;
  const most = isMidway() ? first + beats()[state.beat][1] : story.length;
  const parts = story.slice(0, most).map(([kind, ...facts]) => told[kind](...facts));
  const thoughts = ask ? ask.attempts.filter((found) => found.thoughts !== null) : [];
  at("told").replaceChildren(...thoughts.map((found) => thought(step.seat, data.texts[found.thoughts])), ...parts);
  at("now").scrollTop = 0;
}

function drawDecision() {
  const step = data.steps[state.step], { round, phase } = before(state.step), where = `${data.roundWord} ${round} · ${phase}`;
  at("number").replaceChildren(...(state.step ? [`Decision ${state.step} · `, seatName(step.seat), ` · ${where}`] : [`The deal · ${where}`]));
  at("link").hidden = true;
  drawStory(step);
  drawGrade();
  if (isMidway()) at("grade").hidden = true;
  drawAsked(step);
}

function texts(step) {
  const { story, ask } = seen(step);
  const found = story.map((entry) => ["line", "secret"].includes(entry[0]) ? plain(entry[1]) : data.texts[entry[entry.length - 1]]);
  if (ask) {
    const messages = ask.attempts.flatMap((one) => one.messages.flatMap((number) => data.messages[number].slice(1)));
    const numbers = [ask.question, ask.action, ...ask.attempts.flatMap((one) => [one.why, one.reply, one.thoughts]), ...messages];
    found.push(...numbers.filter((number) => number !== null).map((number) => data.texts[number]));
  }
  return found;
}

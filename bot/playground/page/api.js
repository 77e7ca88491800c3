// Talking to the seat API: requests, and one stream of events for each seat.

/** A request that the playground refused, with its plain sentence and short code. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Send a request; the answer's JSON, or Refused with words that can be shown. */
export async function request(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused(0, "offline", "The playground does not answer. Is it still running?");
  }
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : {};
  } catch {
    // Not JSON: only the status is worth telling.
  }
  if (!response.ok) {
    const words = answer?.error ?? `The playground answered with status ${response.status}.`;
    throw new Refused(response.status, answer?.code ?? "status", words);
  }
  return answer ?? {};
}

/** What one seat can ask for and do. */
export class SeatApi {
  constructor(user) {
    this.user = user;
    this.base = `/seat-api/${encodeURIComponent(user)}`;
  }

  state() {
    return request("GET", `${this.base}/state`);
  }

  messages(channel, { before, after, limit = 50 } = {}) {
    const query = new URLSearchParams({ channel, limit: String(limit) });
    if (before) query.set("before", before);
    if (after) query.set("after", after);
    return request("GET", `${this.base}/messages?${query}`);
  }

  pins(channel) {
    return request("GET", `${this.base}/pins?${new URLSearchParams({ channel })}`);
  }

  act(what, body) {
    return request("POST", `${this.base}/${what}`, body);
  }
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;

/** The events of a seat; reconnects by itself, longer apart each time, and asks for what it missed. */
export class EventStream {
  /** `since()` gives the last event's number; `onEvent(event)`, `onOpen(open)` are called as things come. */
  constructor(user, { since, onEvent, onOpen }) {
    Object.assign(this, { user, since, onEvent, onOpen });
    this.wait = FIRST_WAIT;
    this.timer = null;
    this.socket = null;
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.retryNow());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/seat-api/${encodeURIComponent(this.user)}/events?since=${this.since()}`;
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onmessage = (frame) => {
      this.wait = FIRST_WAIT;
      this.onEvent(JSON.parse(frame.data));
    };
    socket.onopen = () => this.onOpen(true);
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.onOpen(false);
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  retryNow() {
    if (this.timer !== null) this.open();
  }
}

/** A chosen file in the form in which the seat API takes it. */
export function encodeFile(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, base64: String(reader.result).split(",", 2)[1] ?? "" });
    reader.onerror = () => reject(new Refused(0, "unreadable", `The file ${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
}

// Talking to the seat API: requests, and one stream of events for each seat.

/** @import { Acts, EncodedFile, Id, Message, SeatClient, SeatEvent, State } from "../seat_api.js" */
/** @import { Subscription } from "./model/store.js" */

/** A request that the playground refused, with its plain sentence and short code. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Send a request; the answer's JSON, or Refused with words that can be shown.
 *
 * @param {"GET" | "POST"} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} as SEAT_API.md promises for that path
 */
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

/**
 * What one seat can ask for and do.
 *
 * @implements {SeatClient}
 */
export class SeatApi {
  /** @param {Id} user */
  constructor(user) {
    this.base = `/seat-api/${encodeURIComponent(user)}`;
  }

  /** @returns {Promise<State>} */
  state() {
    return request("GET", `${this.base}/state`);
  }

  /**
   * @param {Id} channel
   * @param {{ before?: Id, after?: Id, limit?: number }} [query]
   * @returns {Promise<{ messages: Message[], more: boolean }>}
   */
  messages(channel, { before, after, limit = 50 } = {}) {
    const query = new URLSearchParams({ channel, limit: String(limit) });
    if (before) query.set("before", before);
    if (after) query.set("after", after);
    return request("GET", `${this.base}/messages?${query}`);
  }

  /**
   * @param {Id} channel
   * @returns {Promise<{ messages: Message[] }>}
   */
  pins(channel) {
    return request("GET", `${this.base}/pins?${new URLSearchParams({ channel })}`);
  }

  /**
   * @template {keyof Acts} What
   * @param {What} what
   * @param {Acts[What][0]} body
   * @returns {Promise<Acts[What][1]>}
   */
  act(what, body) {
    return request("POST", `${this.base}/${what}`, body);
  }
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;

/** The events of a seat; reconnects by itself, longer apart each time, and asks for what it missed. */
export class EventStream {
  /**
   * @param {Id} user
   * @param {Subscription} subscription
   */
  constructor(user, subscription) {
    this.user = user;
    this.subscription = subscription;
    this.wait = FIRST_WAIT;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {WebSocket | null} */
    this.socket = null;
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.retryNow());
    this.open();
  }

  open() {
    const { since, onEvent, onOpen } = this.subscription;
    clearTimeout(this.timer);
    this.timer = undefined;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}/seat-api/${encodeURIComponent(this.user)}/events?since=${since()}`;
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onmessage = (frame) => {
      this.wait = FIRST_WAIT;
      onEvent(/** @type {SeatEvent} */ (JSON.parse(frame.data)));
    };
    socket.onopen = () => onOpen(true);
    socket.onclose = () => {
      if (this.socket !== socket) return;
      onOpen(false);
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  retryNow() {
    if (this.timer !== undefined) this.open();
  }
}

/**
 * A chosen file in the form in which the seat API takes it.
 *
 * @param {File} file
 * @returns {Promise<EncodedFile>}
 */
export function encodeFile(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, base64: String(reader.result).split(",", 2)[1] ?? "" });
    reader.onerror = () => reject(new Refused(0, "unreadable", `The file ${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });
}

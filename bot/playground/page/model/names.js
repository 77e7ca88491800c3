// What ids in a message mean to its reader, and where links lead within the page.

import { cssColor } from "./values.js";

/** @import { Channel, Id } from "../../seat_api.js" */
/** @import { Seat } from "./store.js" */

const JUMP = /^https?:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?\/?$/;

/**
 * The address of a channel or message as a seat sees it: kept in the URL, so that a reload returns there.
 *
 * @param {Id} seatId
 * @param {Id} channelId
 * @param {Id | null} [messageId]
 */
export function hrefOf(seatId, channelId, messageId = null) {
  return `#/${seatId}/${channelId}${messageId ? `/${messageId}` : ""}`;
}

/**
 * The seat, channel and message that the URL names; absent parts are null.
 *
 * @param {string} hash
 */
export function readHash(hash) {
  const [seat, channel, message] = hash.replace(/^#\/?/, "").split("/");
  return { seat: seat || null, channel: channel || null, message: message && /^\d+$/.test(message) ? message : null };
}

/**
 * A channel as it is spoken of: "#general", "@Blake", a thread by its bare name.
 *
 * @param {Channel} channel
 */
export function nameOf(channel) {
  if (channel.kind === "dm") return `@${channel.user?.display ?? "unknown"}`;
  return channel.kind.endsWith("thread") ? channel.name : `#${channel.name}`;
}

/**
 * What the mentions and links of a text mean to its reader.
 *
 * @typedef {object} Names
 * @property {(id: Id) => string} user
 * @property {(id: Id) => { name: string, color: string | null }} role
 * @property {(id: Id) => { name: string, href: string | null } | null} channel
 * @property {(kind: "user" | "role", id: Id) => boolean} mine whether the reader is meant
 * @property {(address: string | undefined) => { href: string, label: string } | null} jump a link that stays in the page
 */

/**
 * The meanings of names for one message read by one seat.
 *
 * @param {Seat} seat
 * @param {{ guild_id: Id | null } | null | undefined} channel
 * @param {{ user_names?: Record<Id, string>, role_names?: Record<Id, string>, channel_names?: Record<Id, string> }} [message]
 * @returns {Names}
 */
export function namesFor(seat, channel, message = {}) {
  const guild = seat.guildOf(channel);
  /** @param {Id} id */
  const member = (id) => seat.peopleIn(channel).find((person) => person.id === id);
  return {
    user: (id) => member(id)?.display ?? message.user_names?.[id] ?? "unknown person",
    role: (id) => {
      const role = guild?.roles.find((entry) => entry.id === id);
      const name = role?.name ?? message.role_names?.[id] ?? "unknown role";
      return { name: name.replace(/^@/, ""), color: cssColor(role?.color) };
    },
    channel: (id) => {
      const place = seat.channels.get(id);
      if (place) return { name: place.name, href: hrefOf(seat.id, id) };
      const name = message.channel_names?.[id];
      return name ? { name, href: null } : null;
    },
    mine: (kind, id) => {
      if (kind === "user") return id === seat.id;
      return id === guild?.id || Boolean(guild && seat.member(guild.id, seat.id)?.roles.includes(id));
    },
    jump: (address) => {
      const [, channelId, messageId] = JUMP.exec(address ?? "") ?? [];
      if (!channelId) return null;
      const place = seat.channels.get(channelId);
      const name = place ? nameOf(place) : "#no access";
      return { href: hrefOf(seat.id, channelId, messageId), label: messageId ? `${name} › message` : name };
    },
  };
}

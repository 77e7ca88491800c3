// What ids in a message mean to its reader, and where links lead within the page.

import { cssColor } from "./dom.js";

const JUMP = /^https?:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/channels\/(?:@me|\d+)\/(\d+)(?:\/(\d+))?\/?$/;

/** The address of a channel or message as a seat sees it: kept in the URL, so that a reload returns there. */
export function hrefOf(seatId, channelId, messageId = null) {
  return `#/${seatId}/${channelId}${messageId ? `/${messageId}` : ""}`;
}

/** The seat, channel and message that the URL names; absent parts are null. */
export function readHash(hash) {
  const [seat, channel, message] = hash.replace(/^#\/?/, "").split("/");
  return { seat: seat || null, channel: channel || null, message: /^\d+$/.test(message ?? "") ? message : null };
}

/** A channel as it is spoken of: "#general", "@Blake", a thread by its bare name. */
export function nameOf(channel) {
  if (channel.kind === "dm") return `@${channel.user?.display ?? "unknown"}`;
  return channel.kind.endsWith("thread") ? channel.name : `#${channel.name}`;
}

/** The lookups that the Markdown renderer wants, for one message read by one seat. */
export function namesFor(seat, channel, message = {}) {
  const guild = seat.guildOf(channel);
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
      const found = JUMP.exec(address ?? "");
      if (!found) return null;
      const place = seat.channels.get(found[1]);
      const name = place ? nameOf(place) : "#no access";
      return { href: hrefOf(seat.id, found[1], found[2]), label: found[2] ? `${name} › message` : name };
    },
  };
}

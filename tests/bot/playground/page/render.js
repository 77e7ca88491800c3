// Runs in the page: its own rendering of texts, and what came of each as plain tags.
/* global Node */
export default async (texts) => {
  const { render } = await import("/message/text.js");
  const names = {
    user: (id) => ({ 11: "Blake" })[id] ?? "unknown person",
    role: (id) => ({ name: id === "21" ? "Blue" : "unknown role", color: "#56b4e9" }),
    channel: (id) => ({ 31: { name: "general", href: "#/1/31" }, 32: { name: "hidden", href: null } })[id] ?? null,
    mine: (kind, id) => id === "11",
    jump: (url) => (url.includes("/channels/") ? { href: "#/1/31/41", label: "#general › message" } : null),
  };
  const show = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    const tag = node.tagName.toLowerCase();
    const kind = node.className ? `.${node.className.split(" ").join(".")}` : "";
    const inside = [...node.childNodes].map(show).join("");
    return tag === "p" && !kind ? `<p>${inside}</p>` : `<${tag}${kind}>${inside}</${tag}>`;
  };
  const shown = (text) => [...render(text, names).childNodes].map(show).join("");
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, shown(text)]));
};

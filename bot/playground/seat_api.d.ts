// The seat API's JSON as the page reads it: SEAT_API.md says what each thing means. Keys that the page does not read
// are left out of what Discord defines (messages, embeds, components) and complete in what the playground defines.

export type Id = string;

// --- people and places -------------------------------------------------------------------------------------------

export interface Profile {
  id: Id;
  name: string;
  display: string;
  avatar_color: string;
  note: string;
  dms_open: boolean;
}

export interface Person {
  id: Id;
  name: string;
  display: string;
  bot: boolean;
  avatar_color: string;
}

export interface Member extends Person {
  roles: Id[];
}

export interface Role {
  id: Id;
  name: string;
  color: number;
  position: number;
  mentionable: boolean;
  permissions: string;
}

export type ChannelKind = "category" | "text" | "voice" | "announcement" | "thread" | "private_thread" | "dm";

export interface Channel {
  id: Id;
  kind: ChannelKind;
  type: number;
  guild_id: Id | null;
  name: string;
  topic: string | null;
  parent_id: Id | null;
  position: number;
  archived: boolean;
  locked: boolean;
  joined: boolean;
  can_send: boolean;
  can_attach: boolean;
  can_use_commands: boolean;
  unread: number;
  mentions: number;
  last_message_id: Id | null;
  user?: Person;
}

export interface Guild {
  id: Id;
  name: string;
  owner_id: Id;
  permissions: string;
  roles: Role[];
  members: Member[];
  channels: Channel[];
  commands: Command[];
}

export interface State {
  me: Profile;
  application: { id: Id; name: string; user_id: Id; online: boolean };
  guilds: Guild[];
  dms: Channel[];
  dm_commands: Command[];
  modals: Modal[];
  seq: number;
}

// --- commands ----------------------------------------------------------------------------------------------------

type EntityOption = "user" | "channel" | "role" | "mentionable";

export type OptionKind = "string" | "integer" | "number" | "boolean" | "attachment" | EntityOption;

export type OptionValue = string | number | boolean;

export interface Choice {
  name: string;
  value: OptionValue;
}

export interface Option {
  name: string;
  type: number;
  kind: OptionKind;
  description: string;
  required: boolean;
  autocomplete: boolean;
  choices: Choice[];
  min_value?: number;
  max_value?: number;
  min_length?: number;
  max_length?: number;
  channel_types?: number[];
}

export interface Command {
  path: string;
  command_id: Id;
  description: string;
  options: Option[];
}

export interface EncodedFile {
  name: string;
  base64: string;
}

export type GivenOptions = Record<string, OptionValue | { file: EncodedFile }>;

// --- messages ----------------------------------------------------------------------------------------------------

export interface Author {
  id: Id;
  username: string;
  global_name: string | null;
  bot?: boolean;
}

export interface Media {
  url: string;
  width?: number;
  height?: number;
  description?: string;
}

export interface Attachment extends Media {
  id: Id;
  filename: string;
  size: number;
  content_type?: string;
}

export interface Embed {
  title?: string;
  url?: string;
  description?: string;
  color?: number;
  timestamp?: string;
  author?: { name: string };
  footer?: { text: string };
  fields?: { name: string; value: string; inline?: boolean }[];
  image?: Media;
  thumbnail?: Media;
}

export interface Emoji {
  id?: Id;
  name: string;
}

export interface SelectOption {
  label: string;
  value: string;
  description?: string;
  default?: boolean;
  emoji?: Emoji;
}

export interface ActionRow {
  type: 1;
  components: Component[];
}

export interface Button {
  type: 2;
  style: number;
  label?: string;
  emoji?: Emoji;
  custom_id?: string;
  url?: string;
  disabled?: boolean;
}

export interface StringSelect {
  type: 3;
  custom_id: string;
  options: SelectOption[];
  placeholder?: string;
  min_values?: number;
  max_values?: number;
  disabled?: boolean;
}

export interface EntitySelect {
  type: 5 | 6 | 7 | 8;
  custom_id: string;
  placeholder?: string;
  min_values?: number;
  max_values?: number;
  disabled?: boolean;
  default_values?: { id: Id; type: string }[];
  channel_types?: number[];
}

export interface Section {
  type: 9;
  components: Component[];
  accessory?: Component;
}

export interface TextDisplay {
  type: 10;
  content: string;
}

export interface MediaItem {
  media: Media;
  description?: string | null;
  spoiler?: boolean;
}

export interface Thumbnail extends MediaItem {
  type: 11;
}

export interface Gallery {
  type: 12;
  items: MediaItem[];
}

export interface FileBlock {
  type: 13;
  file: { url: string };
  name: string | null;
  size: number | null;
  spoiler?: boolean;
}

export interface Separator {
  type: 14;
  divider: boolean;
  spacing: number;
}

export interface Container {
  type: 17;
  components: Component[];
  accent_color: number | null;
  spoiler?: boolean;
}

export type Component =
  | ActionRow
  | Button
  | StringSelect
  | EntitySelect
  | Section
  | TextDisplay
  | Thumbnail
  | Gallery
  | FileBlock
  | Separator
  | Container;

export interface Message {
  id: Id;
  type: number;
  channel_id: Id;
  author: Author;
  content: string;
  words: string;
  timestamp: string;
  edited_timestamp: string | null;
  attachments: Attachment[];
  embeds: Embed[];
  components: Component[];
  pinned: boolean;
  flags: number;
  message_reference?: { channel_id?: Id; message_id?: Id };
  referenced_message?: QuotedMessage | null;
  thread?: { id: Id; message_count: number };
  ephemeral: boolean;
  loading: boolean;
  author_display: string;
  author_color: string;
  command_line: string | null;
  command_user: { id: Id; display: string } | null;
  mentions_me: boolean;
  user_names: Record<Id, string>;
  role_names: Record<Id, string>;
  channel_names: Record<Id, string>;
}

/** What a message replies to: Discord's own object, without the playground's keys. */
export type QuotedMessage = Pick<Message, "id" | "author" | "content" | "components">;

// --- forms -------------------------------------------------------------------------------------------------------

interface FieldBase {
  custom_id: string;
  label: string;
  description?: string;
  required: boolean;
}

export interface TextField extends FieldBase {
  kind: "text";
  style: "short" | "paragraph";
  placeholder?: string;
  value?: string;
  min_length?: number;
  max_length?: number;
}

interface Counted extends FieldBase {
  min_values?: number;
  max_values?: number;
}

export interface StringSelectField extends Counted {
  kind: "string_select";
  placeholder?: string;
  options: SelectOption[];
}

export interface EntitySelectField extends Counted {
  kind: "user_select" | "role_select" | "mentionable_select" | "channel_select";
  placeholder?: string;
  default_values?: Id[];
  channel_types?: number[];
}

export interface FileField extends Counted {
  kind: "file_upload";
}

export interface GroupField extends Counted {
  kind: "radio_group" | "checkbox_group";
  options: SelectOption[];
}

export interface CheckboxField extends FieldBase {
  kind: "checkbox";
  default: boolean;
}

export interface DisplayField {
  kind: "display";
  content: string;
}

export type InputField = TextField | StringSelectField | EntitySelectField | FileField | GroupField | CheckboxField;

export type Field = InputField | DisplayField;

export type FieldValue = string | string[] | boolean | EncodedFile[];

export interface Modal {
  interaction_id: Id;
  channel_id: Id;
  guild_id: Id | null;
  custom_id: string;
  title: string;
  fields: Field[];
}

// --- events ------------------------------------------------------------------------------------------------------

export interface MessageEvent {
  type: "message_create" | "message_update";
  seq: number;
  channel_id: Id;
  guild_id: Id | null;
  message: Message;
}

export type SeatEvent =
  | { type: "hello"; seq: number; me: Profile }
  | { type: "reload"; seq: number; reason: string }
  | MessageEvent
  | { type: "message_delete"; seq: number; channel_id: Id; guild_id: Id | null; message_id: Id }
  | { type: "channel_create" | "channel_update"; seq: number; guild_id: Id | null; channel: Channel }
  | { type: "channel_delete"; seq: number; guild_id: Id | null; channel_id: Id }
  | { type: "pins_update"; seq: number; channel_id: Id }
  | { type: "guild_update"; seq: number; guild_id: Id }
  | { type: "commands_update"; seq: number }
  | { type: "bot_status"; seq: number; online: boolean }
  | { type: "interaction"; seq: number; interaction_id: Id }
  | { type: "interaction_followed"; seq: number; interaction_id: Id; message: Message }
  | { type: "interaction_failed"; seq: number; interaction_id: Id; channel_id: Id; message_id: Id | null; text: string }
  | { type: "modal"; seq: number; modal: Modal }
  | { type: "modal_closed"; seq: number; interaction_id: Id }
  | { type: "unread"; seq: number; channel_id: Id; unread: number; mentions: number };

// --- acting ------------------------------------------------------------------------------------------------------

export interface Answer {
  interaction_id: Id;
  outcome: "message" | "deferred" | "update" | "deferred_update" | "modal" | "failed";
  error: string | null;
}

interface OnMessage {
  channel_id: Id;
  message_id: Id;
}

interface CommandSoFar {
  guild_id: Id | null;
  channel_id: Id;
  path: string;
  options: GivenOptions;
}

/** What can be posted: each path with its body and its answer. */
export interface Acts {
  command: [body: CommandSoFar, answer: Answer];
  autocomplete: [body: CommandSoFar & { focused: string }, answer: { choices: Choice[] }];
  press: [body: OnMessage & { custom_id?: string }, answer: Answer];
  select: [body: OnMessage & { custom_id: string; values: string[] }, answer: Answer];
  modal: [body: { interaction_id: Id; values: Record<string, FieldValue> }, answer: Answer];
  modal_dismiss: [body: { interaction_id: Id }, answer: object];
  message: [
    body: { channel_id: Id; content: string; attachments?: EncodedFile[]; reply_to?: Id },
    answer: { message: Message },
  ];
  edit_message: [body: OnMessage & { content: string }, answer: { message: Message }];
  delete_message: [body: OnMessage, answer: object];
  dismiss: [body: OnMessage, answer: object];
  open_dm: [body: { user_id: Id }, answer: { channel: Channel }];
  thread_join: [body: { channel_id: Id }, answer: object];
  thread_leave: [body: { channel_id: Id }, answer: object];
  read: [body: { channel_id: Id; message_id?: Id }, answer: object];
  settings: [body: { dms_open: boolean }, answer: object];
}

/** How a seat asks and acts, whatever carries it. */
export interface SeatClient {
  state(): Promise<State>;
  messages(
    channel: Id,
    query?: { before?: Id; after?: Id; limit?: number },
  ): Promise<{ messages: Message[]; more: boolean }>;
  pins(channel: Id): Promise<{ messages: Message[] }>;
  act<What extends keyof Acts>(what: What, body: Acts[What][0]): Promise<Acts[What][1]>;
}

-- The first schema. A turn has one identity (its prompt's uuid); sessions list turns, so that a copied history is
-- stored once; who continues whom is a link that can be changed, while no stored fact ever moves.
-- Times are UTC milliseconds. Texts from 256 bytes up in `details` are zstd blobs, shorter ones plain text.

create table projects (
  id integer primary key,
  path text not null unique,
  git_common_dir text,
  created_at integer not null,
  fresh_at integer -- the next session is to start clean
) strict;

create table sessions (
  id integer primary key,
  uuid text not null unique, -- Claude Code's session_id
  project_id integer not null references projects (id),
  transcript_path text,
  entrypoint text,
  headless integer not null default 0,
  source text,
  started_at integer not null,
  active_at integer not null,
  ended_at integer,
  end_reason text,
  predecessor_id integer references sessions (id),
  link_reason text,
  linked_at integer,
  inherited_until integer, -- as the predecessor stood then; absent: at this session's start
  fresh_at integer, -- its successor is to start clean
  -- What the session had behind it when it was linked, so that nobody has to count a long chain.
  inherited_turns integer not null default 0,
  inherited_since integer
) strict;

create index sessions_by_activity on sessions (project_id, active_at);
create index sessions_open on sessions (active_at) where ended_at is null;
create index sessions_by_predecessor on sessions (predecessor_id);

-- Which client process served which session: what makes an exact link possible.
create table clients (
  client text not null,
  session_id integer not null references sessions (id) on delete cascade,
  served_at integer not null,
  ended_at integer,
  primary key (client, session_id)
) strict, without rowid;

create index clients_by_session on clients (session_id);

-- How far each session's transcript has been read, and what the reader carries from there on (JSON).
create table checkpoints (
  session_id integer primary key references sessions (id) on delete cascade,
  path text not null,
  file_id text not null,
  offset integer not null,
  tail text not null,
  reading text not null,
  skipped text not null,
  read_at integer not null
) strict;

-- `copied`: a fork's copy under a new uuid, as long as the original was not read.
create table turns (
  id integer primary key,
  uuid text not null unique,
  copied integer not null default 0,
  started_at integer not null,
  zone_offset integer not null,
  state text not null,
  cwd text,
  model text,
  context_tokens integer
) strict;

create index turns_by_time on turns (started_at);
-- `detail 14:23:05` asks for a second of the day, whatever the day.
create index turns_by_clock on turns (((started_at / 1000 + zone_offset * 60) % 86400));

-- The other uuids under which forks copied a turn.
create table turn_aliases (
  uuid text primary key,
  turn_id integer not null references turns (id) on delete cascade
) strict, without rowid;

create index turn_aliases_by_turn on turn_aliases (turn_id);

create table session_turns (
  session_id integer not null references sessions (id) on delete cascade,
  position integer not null,
  turn_id integer not null references turns (id) on delete cascade,
  parent_uuid text, -- the entry that the prompt hangs on in this session's transcript
  lead text, -- the entries there between the end of the conversation before and the prompt, JSON
  left_at integer,
  primary key (session_id, position),
  unique (session_id, turn_id)
) strict, without rowid;

-- For counting: the table's own rows are long.
create index session_turns_by_state on session_turns (session_id, left_at);
create index session_turns_by_turn on session_turns (turn_id);

create table messages (
  id integer primary key,
  turn_id integer not null references turns (id) on delete cascade,
  source_id text not null,
  role text not null,
  at integer not null,
  text text not null,
  copied integer not null default 0,
  unique (turn_id, source_id)
) strict;

-- The first occurrence of an entry counts, over all sessions. A queued text has an id of its own in each turn.
create unique index messages_by_source on messages (source_id) where source_id not glob 'queue:*';
create index messages_copied on messages (turn_id) where copied = 1;

create table details (
  id integer primary key,
  turn_id integer not null references turns (id) on delete cascade,
  source_id text not null,
  kind text not null,
  tool text,
  at integer not null,
  input any,
  output any,
  copied integer not null default 0,
  unique (turn_id, source_id)
) strict;

create index details_copied on details (turn_id) where copied = 1;

create table summaries (
  turn_id integer primary key references turns (id) on delete cascade,
  text text not null,
  model text,
  created_at integer not null
) strict;

-- One row for each session that was started: what it was given and why, also when that was nothing.
create table restores (
  session_id integer primary key references sessions (id) on delete cascade,
  leader_pid integer not null,
  started_at integer not null,
  finished_at integer,
  outcome text,
  parts integer not null default 0,
  full_turns integer not null default 0,
  line_turns integer not null default 0,
  characters integer not null default 0,
  replaced_tokens integer,
  notice text
) strict;

-- The slices that the eight SessionStart hooks emit, each once.
create table injections (
  session_id integer not null references sessions (id) on delete cascade,
  part integer not null,
  text text not null,
  first_at text,
  pid integer,
  emitted_at integer,
  primary key (session_id, part)
) strict, without rowid;

create table failures (
  id integer primary key,
  at integer not null,
  event text not null,
  session_uuid text,
  message text not null,
  shown_at integer
) strict;

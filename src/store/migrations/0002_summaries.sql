-- What makes the lines of older turns (`summaries`): which threads want some, which attempts failed, who is at work, and
-- what it cost. A row of `summaries` without a model holds the turn's own text, kept until a later attempt succeeds.
-- Times are UTC milliseconds.

-- Threads that grew beyond the turns told in full, by their newest session; gone once all their lines are there.
create table due (
  session_id integer primary key references sessions (id) on delete cascade,
  marked_at integer not null,
  -- Nobody need wait for more turns: the session is over, or another one has begun.
  urgent integer not null default 0
) strict;

-- Turns whose line could not be made yet.
create table attempts (
  turn_id integer primary key references turns (id) on delete cascade,
  tries integer not null,
  reason text not null,
  retry_at integer not null
) strict;

-- The one worker: who holds the lock and until when, and until when nobody needs to try, and why.
create table worker (
  id integer primary key check (id = 1),
  holder text,
  pid integer,
  deadline integer not null default 0,
  paused_until integer not null default 0,
  pause_reason text,
  pause_detail text,
  pause_told_at integer
) strict;

insert into worker (id) values (1);

-- Every run of the model's client. A run without an outcome is at work or was killed.
create table runs (
  id integer primary key,
  started_at integer not null,
  model text not null,
  turns integer not null,
  kept integer not null default 0,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  cost_usd real not null default 0,
  milliseconds integer,
  outcome text,
  message text
) strict;

create index runs_by_start on runs (started_at);

-- Options that a client (its path, size and time of change) turned out not to know.
create table lacking_options (
  client text not null,
  option text not null,
  primary key (client, option)
) strict, without rowid;

-- What a person is told once.
create table notices (
  name text primary key,
  told_at integer not null
) strict, without rowid;

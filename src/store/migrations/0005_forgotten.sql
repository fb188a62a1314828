-- What the person wants forgotten, by names that say nothing: no reading, import or repair brings it back (`forgotten.ts`).
create table forgotten (
  name text not null, -- SHA-256 of a turn's uuid, or of what else it may come back as; hex, the first half
  -- Of a session's name: the turn's time, UTC milliseconds. The earlier program has no uuids.
  from_at integer not null default 0,
  until_at integer not null default 0,
  primary key (name, from_at)
) strict, without rowid;

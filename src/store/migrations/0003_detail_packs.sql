-- L3 in few values: details of a turn that were read together are compressed together (`packs.ts`). A turn has one or more.
create table detail_packs (
  id integer primary key,
  turn_id integer not null references turns (id) on delete cascade,
  source_ids text not null, -- of each detail, JSON
  tools text not null, -- the names that occur, JSON
  copied integer not null default 0, -- some are a fork's copies
  details any not null
) strict;

create index detail_packs_by_turn on detail_packs (turn_id);

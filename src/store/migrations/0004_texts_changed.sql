-- What the search index compares to see which sessions it has: a session's checkpoint tells of what is read of its
-- transcript; whoever changes a stored turn otherwise (a line is made, an import) gives its sessions another number here.
alter table sessions add column texts_changed integer not null default 0;

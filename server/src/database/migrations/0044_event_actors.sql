-- Who made a write, as the feed and webhooks show it: {"type": "key", "id": …}. Events of servers of the previous version have none.
-- Oldest server: 0041
alter table events add column actor json;

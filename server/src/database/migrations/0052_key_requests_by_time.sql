-- Requests of keys by time: the oldest are removed in small pieces, without sorting all of them.
-- Oldest server: 0041

create index key_requests_by_time on key_requests (at);

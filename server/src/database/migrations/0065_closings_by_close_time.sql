-- Closings by the time at which tills were closed, as bookkeepers list them: an index for the order and for ranges of days.
-- Oldest server: 0041

create index closings_close_time on closings (company_id, close_time, id);

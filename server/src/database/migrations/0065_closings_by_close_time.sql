-- Closings by when tills were closed, as bookkeepers list them: an index for their order and their days.
-- Oldest server: 0041

create index closings_close_time on closings (company_id, close_time, id);

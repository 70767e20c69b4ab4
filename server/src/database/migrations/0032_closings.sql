-- Cash that is put into drawers or taken out of them, and the cash that was counted when sessions were closed.
create table cash_movements (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  updated_at text collate "C" not null generated always as (body ->> 'updatedAt') stored,
  session_id text collate "C" not null generated always as (coalesce(body ->> 'sessionId', '')) stored,
  type text collate "C" not null generated always as (coalesce(body ->> 'type', '')) stored,
  currency text collate "C" not null generated always as (coalesce(body ->> 'currency', '')) stored,
  employee text collate "C" not null generated always as (coalesce(body ->> 'employee', '')) stored,
  occurred_at text collate "C",
  primary key (company_id, id)
);
create index cash_movements_created_at on cash_movements (company_id, created_at, id);
create index cash_movements_updated_at on cash_movements (company_id, updated_at, id);
create index cash_movements_occurred_at on cash_movements (company_id, coalesce(occurred_at, created_at), id);
create index cash_movements_by_session_id on cash_movements (company_id, session_id, created_at, id);
create index cash_movements_by_type on cash_movements (company_id, type, created_at, id);
create index cash_movements_by_currency on cash_movements (company_id, currency, created_at, id);
create index cash_movements_by_employee on cash_movements (company_id, employee, created_at, id);

-- Closings: their figures are copies, and rows are only added.
create table closings (
  company_id text collate "C" not null,
  id text collate "C" not null,
  version integer not null default 1,
  body json not null,
  created_at text collate "C" not null generated always as (body ->> 'createdAt') stored,
  station_id text collate "C" not null generated always as (body ->> 'stationId') stored,
  session_id text collate "C" not null generated always as (body ->> 'sessionId') stored,
  number integer not null generated always as ((body ->> 'number')::integer) stored,
  open_time text collate "C" not null generated always as (coalesce(body ->> 'openTime', '')) stored,
  close_time text collate "C" not null generated always as (body ->> 'closeTime') stored,
  primary key (company_id, id)
);
create index closings_created_at on closings (company_id, created_at, id);
create index closings_number on closings (company_id, number, id);
create unique index closings_of_station on closings (company_id, station_id, number);
create index closings_by_station_id on closings (company_id, station_id, created_at, id);
create index closings_by_session_id on closings (company_id, session_id, created_at, id);

-- The number and the time of each station's last closing, and when the session of its first one was created. A closing locks
-- this row, so that numbers have no gaps.
create table closing_numbers (
  company_id text collate "C" not null,
  station_id text collate "C" not null,
  number integer not null,
  began_at text collate "C" not null,
  closed_at text collate "C",
  primary key (company_id, station_id)
) with (fillfactor = 70);

-- Which closing contains a record: each record is in at most one closing.
create table closing_records (
  company_id text collate "C" not null,
  resource text collate "C" not null,
  record_id text collate "C" not null,
  closing_id text collate "C" not null,
  session_id text collate "C" not null,
  moment text collate "C" not null,
  -- Whether it came after the closing that it belongs to; and whether its money is in the drawer that is counted.
  is_late boolean not null,
  is_in_drawer boolean not null,
  primary key (company_id, resource, record_id)
);
create index closing_records_by_closing on closing_records (company_id, closing_id, resource);

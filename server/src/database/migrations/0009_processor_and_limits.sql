-- A company's registration at the payment processor, and its counts of what its plan limits.

-- One row for each company, created with it. While it is pending, a server registers the company at the processor; the server
-- postpones next_try_at for the time in which no other server may try.
create table payment_customers (
  company_id text collate "C" primary key references companies (id),
  organization_id text collate "C" not null references organizations (id),
  state text not null default 'pending' check (state in ('pending', 'done')),
  processor text,
  customer_id text,
  tries integer not null default 0,
  next_try_at timestamptz(3) not null,
  -- The parameters under the current idempotency key, and since when: under one key always the same.
  round integer not null default 1,
  sent json,
  sent_at timestamptz(3),
  -- The key is used up: the processor is searched for a customer before another key is used.
  is_spent boolean not null default false,
  last_error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index payment_customers_due on payment_customers (next_try_at) where state = 'pending';

-- A company's number of records of each kind that its plan limits ('outlets', 'users', …); without a limit there is no row.
-- Every create and delete of such a record locks the row. Until the number is exact, the records are counted each time.
create table plan_counts (
  company_id text collate "C" not null,
  limit_name text collate "C" not null,
  -- When the first server noticed the limit; others may notice it later.
  noticed_at timestamptz(3) not null,
  records bigint,
  counted_at timestamptz(3),
  primary key (company_id, limit_name)
);
-- Its rows are updated all day.
alter table plan_counts set (fillfactor = 50);

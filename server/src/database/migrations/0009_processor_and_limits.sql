-- What a company is at the payment processor, and how much of what its plan limits it has.

-- One row for each company, made with it. While it is pending some server asks the processor for a customer; whoever does
-- puts next_try_at off for as long as nobody else is to try it.
create table payment_customers (
  company_id text collate "C" primary key references companies (id),
  organization_id text collate "C" not null references organizations (id),
  state text not null default 'pending' check (state in ('pending', 'done')),
  processor text,
  customer_id text,
  tries integer not null default 0,
  next_try_at timestamptz(3) not null,
  -- What is asked for under the present idempotency key, and since when: under one key always the same.
  round integer not null default 1,
  sent json,
  sent_at timestamptz(3),
  -- The key leads nowhere any more: the processor is searched for a customer before another key is used.
  is_spent boolean not null default false,
  last_error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index payment_customers_due on payment_customers (next_try_at) where state = 'pending';

-- How many records a company has of what its plan limits ('outlets', 'users', …); without a limit there is no row. Whoever
-- creates or deletes such a record holds the row. Until the number is trusted the records are counted each time.
create table plan_counts (
  company_id text collate "C" not null,
  limit_name text collate "C" not null,
  -- Since when the limit is known to some server; others may not have heard of it for a while.
  noticed_at timestamptz(3) not null,
  records bigint,
  counted_at timestamptz(3),
  primary key (company_id, limit_name)
);
-- Its rows are written over all day.
alter table plan_counts set (fillfactor = 50);

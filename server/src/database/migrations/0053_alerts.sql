-- Alerts: what the people of a company should look at, what each has read, and what each wants. Servers of the previous version make none.
-- Oldest server: 0041

create table alerts (
  company_id text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null check (kind in ('webhook', 'import', 'stock', 'session')),
  -- What it is about: the record's id, empty for all stock.
  cause text collate "C" not null,
  -- A lasting state is open until it has recovered; a single event is done at once.
  state text collate "C" not null check (state in ('open', 'recovered', 'done')),
  details json not null,
  -- For a lasting state: the parts found at the last check; any others are news.
  parts json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  recovered_at timestamptz(3),
  -- When its mail is due; null once the mail is written.
  mail_at timestamptz,
  primary key (company_id, id)
);
create unique index alerts_open on alerts (company_id, kind, cause) where state = 'open';
create index alerts_latest on alerts (company_id, updated_at);
create index alerts_updated on alerts (updated_at);
create index alerts_mail_due on alerts (mail_at) where mail_at is not null;

create table alert_reads (
  company_id text collate "C" not null,
  alert_id text collate "C" not null,
  user_id text collate "C" not null references users (id) on delete cascade,
  read_at timestamptz(3) not null,
  primary key (company_id, alert_id, user_id),
  foreign key (company_id, alert_id) references alerts (company_id, id) on delete cascade
);
create index alert_reads_user on alert_reads (user_id);

-- Kinds that a person has switched off, at least in part.
create table alert_settings (
  user_id text collate "C" not null references users (id) on delete cascade,
  kind text collate "C" not null,
  bell boolean not null,
  mail boolean not null,
  primary key (user_id, kind)
);

-- What was known of a company at its last check for alerts. A company without a row is new.
create table alert_checks (
  company_id text collate "C" primary key,
  -- When it is checked next; null until the company writes something.
  due_at timestamptz default now(),
  -- The last event at that check.
  position bigint not null default 0,
  -- Whether its stock may have changed since.
  is_busy boolean not null default false,
  -- False until the first check of a company older than alerts: what that check finds is not new, and is not mailed.
  is_known boolean not null default true,
  mailed_at timestamptz
);
create index alert_checks_due on alert_checks (due_at) where due_at is not null;
insert into alert_checks (company_id, due_at, is_known) select id, null, false from companies;

-- The few triggers that alerts may be about.
create index automation_triggers_unwell on automation_triggers (company_id, id) where failing_since is not null or not is_active;

-- Files of attachments, in pieces. An attachment has at most one stored file; others are being sent, or were replaced and are removed later.
-- Oldest server: 0041

create table attachment_files (
  company_id text collate "C" not null,
  id text collate "C" not null,
  attachment_id text collate "C" not null,
  -- False while it is sent, and after another one has replaced it.
  is_stored boolean not null default false,
  bytes bigint not null,
  content_type text not null,
  sha256 text,
  -- Unless it is stored: until then it may still be sent, or read.
  leased_until timestamptz,
  created_at timestamptz(3) not null,
  primary key (company_id, id)
);
create unique index attachment_files_stored on attachment_files (company_id, attachment_id) where is_stored;
create index attachment_files_leased on attachment_files (leased_until) where not is_stored;

create table attachment_file_pieces (
  company_id text collate "C" not null,
  file_id text collate "C" not null,
  number integer not null,
  bytes bytea not null,
  primary key (company_id, file_id, number)
);
-- Pictures and PDFs are compressed already.
alter table attachment_file_pieces alter column bytes set storage external;

-- Companies and organizations may require a second factor of their people; a sign-in knows whether it was made with one. Servers of the
-- version before neither require nor note it: sign-ins at them count as made without.
-- Oldest server: 0041

alter table companies add column requires_second_factor boolean not null default false;
alter table organizations add column requires_second_factor boolean not null default false;
alter table sign_ins add column has_second_factor boolean not null default false;

-- Turning a second factor on ended all sign-ins but the one in which it was done.
update sign_ins set has_second_factor = true
where user_id in (select user_id from second_factors where confirmed_at is not null);

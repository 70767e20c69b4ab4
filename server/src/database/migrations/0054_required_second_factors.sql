-- Companies and organizations may require a second factor of their people; each sign-in notes whether it was made with one. Servers of the
-- previous version neither require nor note it: sign-ins there count as made without one.
-- Oldest server: 0041

alter table companies add column requires_second_factor boolean not null default false;
alter table organizations add column requires_second_factor boolean not null default false;
alter table sign_ins add column has_second_factor boolean not null default false;

-- Turning on a second factor ended all sign-ins except the one that did it.
update sign_ins set has_second_factor = true
where user_id in (select user_id from second_factors where confirmed_at is not null);

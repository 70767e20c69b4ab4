-- Companies that require a second factor, by organization: each request of a person about an organization checks whether one of its
-- companies does.
-- Oldest server: 0041

create index companies_requiring_factor on companies (organization_id) where requires_second_factor;

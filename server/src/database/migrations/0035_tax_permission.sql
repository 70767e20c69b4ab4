-- Adds the permission to manage tax tables to roles that list the one to manage outlets and stations, with the same value:
-- people who managed the settings of the shops can still do so. Roles that list neither stay unchanged, as do roles that a
-- server of the previous version creates or changes at that moment. updatedAt moves, so that lists filtered by it find
-- the roles; there is no event.

with listed as (
  select stored.company_id, stored.id, stored.version,
    string_agg(
      entry.value::text || case when entry.place = outlets.place
        then format(',{"name":"Manage tax tables","permissionId":"settings.taxes","category":"settings","subCategory":"company","value":%s}', outlets.granted)
        else '' end,
      ',' order by entry.place) as permissions
  from roles as stored
  cross join lateral (
    select place, (value ->> 'value' is not distinct from 'true')::text as granted
    from json_array_elements(stored.body -> 'permissions') with ordinality as entry(value, place)
    where value ->> 'permissionId' = 'settings.outlets' order by place limit 1
  ) as outlets
  cross join lateral json_array_elements(stored.body -> 'permissions') with ordinality as entry(value, place)
  where stored.body::text like '%"settings.outlets"%' and stored.body::text not like '%"settings.taxes"%'
  group by stored.company_id, stored.id, stored.version
)
update roles as stored
set version = stored.version + 1,
  body = (
    select format('{%s}', string_agg(to_json(member.key)::text || ':' || case member.key
      when 'permissions' then format('[%s]', listed.permissions)
      when 'updatedAt' then to_json(greatest(stored.updated_at, iso_time(now()::timestamptz(3))))::text
      else member.value::text end, ',' order by member.place))
    from json_each(stored.body) with ordinality as member(key, value, place)
  )::json
from listed where stored.company_id = listed.company_id and stored.id = listed.id and stored.version = listed.version;

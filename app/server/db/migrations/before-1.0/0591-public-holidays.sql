-- Whose public holidays are no working days.
alter table sites add column holidays text not null default 'none';
update sites set holidays = case region when 'United Kingdom' then 'uk-england-wales' else 'ca' end
  where region in ('United Kingdom', 'Canada');

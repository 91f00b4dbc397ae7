-- Who answered which survey, without reading the answers: for the people of a hub, beside surveys of hundreds of thousands.
create index responses_people on responses (site_id, survey_id, user_id) where user_id is not null;

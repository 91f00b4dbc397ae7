-- Who responded to which survey, without reading the responses: for the people of a hub, even with surveys of hundreds of thousands of
-- responses.
create index responses_people on responses (site_id, survey_id, user_id) where user_id is not null;

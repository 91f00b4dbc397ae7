-- What a person answered is found in the index alone, when people are narrowed by another answer.
create index profile_answer_options_said on profile_answer_options (site_id, user_id, question_id, option);
drop index profile_answer_options_person;

-- What only a mail's reader may see is stored apart from what the outbox shows, until the mail is sent.
alter table outbox_mails add column secret_bodies jsonb;
update outbox_mails set
  secret_bodies = jsonb_build_object('text', body_text, 'html', body_html),
  body_text = regexp_replace(body_text, '([A-Za-z0-9_-]+\.)?[A-Za-z0-9_-]{43}', '…', 'g'),
  body_html = regexp_replace(body_html, '([A-Za-z0-9_-]+\.)?[A-Za-z0-9_-]{43}', '…', 'g')
where sent_at is null and fault is null and campaign_id is null and body_text ~ '[A-Za-z0-9_-]{43}';

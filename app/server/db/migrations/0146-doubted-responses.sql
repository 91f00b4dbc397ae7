-- Why a response is to be looked at before it is relied on: it was taken all the same, since a library's address is many people's.
alter table responses add column doubt text;        -- rate | haste

-- Why a response should be checked before it is relied on. It was accepted anyway, because many people may share an address, such as a
-- library's.
alter table responses add column doubt text;        -- rate | haste

-- The trace that a write belonged to (W3C Trace Context), for the calls of webhooks that follow from it.
alter table events add column traceparent text;

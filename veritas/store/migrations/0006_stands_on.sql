-- The claims that a reading or a prediction is drawn from; none for any claim of an older run.
ALTER TABLE claims ADD COLUMN stands_on VARCHAR[] DEFAULT [];

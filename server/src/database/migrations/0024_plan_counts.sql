-- Records that a plan limits are counted at each create, under an advisory lock; plan_counts is no longer used. Servers of
-- the previous version still read and write it, so it stays until the next version. They rely on a count some minutes after
-- noticed_at, and creates of this version do not update it: from now on they count each time, too, unless they make
-- a row themselves and serve for more than four minutes after that.
update plan_counts set noticed_at = 'infinity', records = null, counted_at = null;

-- Reports have lines at the rates that only the summary of their order names, if these come to its taxes. All sums are computed once more, as after 0073.
-- Oldest server: 0041
update report_cursors set position = null where position is not null;

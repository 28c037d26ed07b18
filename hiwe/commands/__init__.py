"""The commands of `hiwe`, one file each: its arguments, and one short function that runs it."""

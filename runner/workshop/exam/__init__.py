"""Exam: the same decisions put to several players, graded."""

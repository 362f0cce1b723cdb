"""Record and replay: answers are kept in a file, and the same questions are answered from it the next time.

:class:`~nbask.record.session.Record` is what a runtime has of this; `%nbask record`, `%nbask replay`,
`%nbask off` and `NBASK_ANSWERS` steer it. This room knows no Jupyter; :mod:`~nbask.record.notebooks` knows receipts.
"""

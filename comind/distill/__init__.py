"""What only a reader can find: proposals from prose, with evidence, checked before and after a model is asked.

In: commits, merge requests, documents; an endpoint. Out: records at T1, and for everything else a code that says why not.
Deterministic code decides what may be asked, what is kept and what it costs; the model words proposals and is trusted with nothing.
"""

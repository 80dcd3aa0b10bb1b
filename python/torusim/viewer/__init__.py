"""Pages that show runs at work, in a browser or a notebook.

    Result --data--> RunData (facts, tables) --page--> one file  --serving--> the loopback interface
                                             --widget--> a cell of a notebook

`viewer.js` is built from `web/` of the repository; `web/README.md` says how.
"""

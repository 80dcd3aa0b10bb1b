"""Pages that show runs and schedules at work, in a browser or a notebook.

    Result   --run_data------>  PageData (facts, tables)  --page-->    one file, or --serving--> the loopback interface
    Schedule --schedule_data->                            --widget-->  a cell of a notebook

`viewer.js` is built from `web/` of the repository; `web/README.md` says how.
"""

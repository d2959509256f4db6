"""JSON Schemas of the YAML files that people write, for editors: `grader schema`.

`api` lists the files and writes their schemas, which `json_schema` makes of their models.
"""

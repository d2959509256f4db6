"""JSON Schemas for editors, describing the YAML files that people write: `grader schema`.

`api` lists the files and writes their schemas, which `json_schema` generates from their models.
"""

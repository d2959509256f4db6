"""JSON Schemas of YAML files: `json_schema` makes one from a model, `api` writes all, `command` is `grader schema`."""

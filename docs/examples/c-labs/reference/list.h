struct list;

struct list *list_new(void);
void list_add(struct list *list, int number);
int list_length(const struct list *list);
long list_sum(const struct list *list);
void list_free(struct list *list);
int list_at(const struct list *list, int place);

/* Lines of names, each with a number, brought into order: what `gathered.py` says in Python.

   A natural merge sort, because names come in order for long stretches.  It needs nothing of
   Python's; only what several lines say of one name is asked there. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct { const char *at; int size, number; } Line;

/* `starts` has where each run of sorted lines begins, and the end of the last. */
typedef struct {
    Line *lines, *other;
    size_t count, room;
    size_t *starts, runs, starts_room;
} Sorted;

static int
precedes(const Line *one, const Line *other)
{
    int order = memcmp(one->at, other->at,
                       (size_t)(one->size < other->size ? one->size : other->size));
    return order < 0 || (order == 0 && one->size <= other->size);
}

/* Makes room for one more item; returns -1 where there is no memory. */
static int
widen(void **items, size_t *room, size_t count, size_t size)
{
    if (count == *room) {
        size_t more = *room ? *room * 2 : 1024;
        void *larger = realloc(*items, more * size);
        if (!larger)
            return -1;
        *items = larger;
        *room = more;
    }
    return 0;
}

/* Reads a line; its number stands behind a tab if it is not given. */
static Line
read_line(const char *at, const char *end, int number)
{
    if (number < 0) {
        unsigned sum = 0, digit = 1;
        for (; end > at && *--end != '\t'; digit *= 10)
            sum += (unsigned)(*end - '0') * digit;
        number = (int)(sum & INT_MAX);
    }
    else if (end - at > 1 && *at == '<' && end[-1] == '>') {
        at++;
        end--;
    }
    return (Line){at, (int)(end - at), number};
}

/* Takes the lines of a text that ends in a line feed. */
static int
take(Sorted *sorted, const char *at, const char *end, int number)
{
    while (at < end) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        if (widen((void **)&sorted->lines, &sorted->room, sorted->count, sizeof(Line)))
            return -1;
        Line *line = &sorted->lines[sorted->count];
        *line = read_line(at, next, number);
        if (sorted->count == 0 || !precedes(line - 1, line)) {
            if (widen((void **)&sorted->starts, &sorted->starts_room, sorted->runs,
                      sizeof(size_t)))
                return -1;
            sorted->starts[sorted->runs++] = sorted->count;
        }
        sorted->count++;
        at = next + 1;
    }
    return 0;
}

/* Merges two runs that lie beside each other into another array. */
static void
merge(const Line *one, const Line *middle, const Line *end, Line *to)
{
    const Line *other = middle;
    if (other < end && !precedes(middle - 1, other))
        while (one < middle && other < end)
            *to++ = precedes(one, other) ? *one++ : *other++;
    memcpy(to, one, (size_t)(middle - one) * sizeof(Line));
    memcpy(to + (middle - one), other, (size_t)(end - other) * sizeof(Line));
}

static int
sort(Sorted *sorted)
{
    if (sorted->runs < 2)
        return 0;
    if (!(sorted->other = malloc(sorted->count * sizeof(Line))))
        return -1;
    while (sorted->runs > 1) {
        size_t *starts = sorted->starts, runs = 0;
        for (size_t each = 0; each < sorted->runs; each += 2) {
            size_t last = each + 2 < sorted->runs ? starts[each + 2] : sorted->count;
            size_t middle = each + 1 < sorted->runs ? starts[each + 1] : last;
            size_t first = starts[each];
            merge(sorted->lines + first, sorted->lines + middle, sorted->lines + last,
                  sorted->other + first);
            starts[runs++] = first;
        }
        Line *swap = sorted->lines;
        sorted->lines = sorted->other;
        sorted->other = swap;
        sorted->runs = runs;
    }
    return 0;
}

/* Returns what `join` makes of the numbers of lines with one name, or -1 with an error set. */
static int
joined(PyObject *join, const Line *lines, size_t count)
{
    PyObject *numbers = PyTuple_New((Py_ssize_t)count), *result = NULL;
    for (size_t each = 0; numbers && each < count; each++) {
        PyObject *number = PyLong_FromLong(lines[each].number);
        if (!number || PyTuple_SetItem(numbers, (Py_ssize_t)each, number))
            Py_CLEAR(numbers);
    }
    if (numbers)
        result = PyObject_CallFunctionObjArgs(join, numbers, NULL);
    int number = result ? (int)PyLong_AsLong(result) : -1;
    Py_XDECREF(numbers);
    Py_XDECREF(result);
    return number;
}

static int
is_same(const Line *one, const Line *other, size_t count)
{
    for (size_t each = 0; each < count; each++)
        if (one[each].number != other[each].number)
            return 0;
    return 1;
}

/* What is asked in Python: one number for several, and what ends the line of a number, which
   is in a list if it is small. */
typedef struct { PyObject *join, *ends, *end; } Asked;

/* Returns a new reference. */
static PyObject *
end_of(const Asked *asked, int number)
{
    if (number < PyList_Size(asked->ends))
        return Py_XNewRef(PyList_GetItem(asked->ends, number));
    PyObject *given = PyLong_FromLong(number);
    PyObject *end = given ? PyObject_CallFunctionObjArgs(asked->end, given, NULL) : NULL;
    Py_XDECREF(given);
    return end;
}

/* Writes each name once, with what ends its line; returns how many, or -1. */
static Py_ssize_t
write_lines(const Sorted *sorted, const Asked *asked, char **text, size_t *size)
{
    const Line *line = sorted->lines, *last = line + sorted->count, *before = line, *next;
    size_t room = 0, before_count = 0;
    Py_ssize_t names = 0;
    int number = 0;
    for (; line < last; line = next, names++) {
        char *end;
        Py_ssize_t end_size;
        for (next = line + 1; next < last; next++)
            if (next->size != line->size || memcmp(next->at, line->at, (size_t)line->size))
                break;
        size_t count = (size_t)(next - line);
        /* The name before often has the same numbers. */
        if (count == 1)
            number = line->number;
        else if (count != before_count || !is_same(before, line, count))
            number = joined(asked->join, line, count);
        before = line;
        before_count = count;
        if (number < 0 && PyErr_Occurred())
            return -1;
        PyObject *item = end_of(asked, number);
        if (!item || PyBytes_AsStringAndSize(item, &end, &end_size)) {
            Py_XDECREF(item);
            return -1;
        }
        size_t name_size = (size_t)line->size, more = name_size + (size_t)end_size;
        while (*size + more > room) {
            room = room ? room * 2 : sorted->count * 64;
            char *larger = realloc(*text, room);
            if (!larger) {
                Py_DECREF(item);
                PyErr_NoMemory();
                return -1;
            }
            *text = larger;
        }
        memcpy(*text + *size, line->at, name_size);
        memcpy(*text + *size + name_size, end, (size_t)end_size);
        *size += more;
        Py_DECREF(item);
    }
    return names;
}

PyDoc_STRVAR(gather_doc,
"gather(texts, join, ends, end)\n--\n\n"
"Return the names of all texts, each once and in order, and how many they are.");

static PyObject *
gather(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *texts, *result = NULL;
    Asked asked;
    Sorted sorted = {0};
    char *text = NULL;
    size_t size = 0;
    int failed = 0;
    if (!PyArg_ParseTuple(arguments, "O!OO!O", &PyTuple_Type, &texts, &asked.join, &PyList_Type,
                          &asked.ends, &asked.end))
        return NULL;
    Py_ssize_t count = PyTuple_Size(texts);
    for (Py_ssize_t each = 0; each < count && !failed; each++) {
        const char *at;
        Py_ssize_t length;
        int number;
        PyObject *item = PyTuple_GetItem(texts, each);
        if (!PyTuple_Check(item)) {
            PyErr_SetString(PyExc_TypeError, "a text comes with a number");
            goto done;
        }
        if (!PyArg_ParseTuple(item, "y#i", &at, &length, &number))
            goto done;
        if (length > INT_MAX || (length && at[length - 1] != '\n')) {
            PyErr_SetString(PyExc_ValueError, "a text of whole lines ends in a line feed");
            goto done;
        }
        failed = take(&sorted, at, at + length, number);
    }
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS
        failed = sort(&sorted);
        Py_END_ALLOW_THREADS
    }
    if (failed) {
        PyErr_NoMemory();
        goto done;
    }
    Py_ssize_t names = write_lines(&sorted, &asked, &text, &size);
    if (names >= 0)
        result = Py_BuildValue("y#n", text ? text : "", (Py_ssize_t)size, names);
done:
    free(sorted.lines);
    free(sorted.other);
    free(sorted.starts);
    free(text);
    return result;
}

static PyMethodDef methods[] = {
    {"gather", gather, METH_VARARGS, gather_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_gather", NULL, 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__gather(void)
{
    return PyModule_Create(&module);
}

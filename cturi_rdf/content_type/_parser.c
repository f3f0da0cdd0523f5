/* Reads plain headers, as most are, and remembers those that were read.

   `ContentType.parse` is the one function here.  It leaves all other texts to the whole grammar,
   in Python; a test checks that both give the same result for any text. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <string.h>

typedef unsigned char Byte;

/* The kinds of characters: RFC 2045 section 5.1, token; the same with "?", which the draft
   allows in types; the same without "*", which has a meaning in RFC 2231; characters that
   stand for themselves in a quoted string. */
enum { TOKEN = 1, TYPE = 2, NAME = 4, QUOTED = 8 };
static Byte kinds[256];

/* A longer name is left to the grammar. */
enum { LONGEST = 255 };

/* The arguments of `parser`, the setters of the parts of a value, and the function itself. */
enum { PARTS = 3 };
static const char *names[PARTS] = {"_type", "_subtype", "_parameters"};
typedef struct {
    PyObject_VAR_HEAD
    PyObject *memory, *read, *parts[PARTS], *no_parameters;
    PyTypeObject *made;
    allocfunc allocate;
    descrsetfunc set;
    Py_ssize_t most, longest;
    PyMethodDef method;
    char doc[];
} Parser;

static void
fill_kinds(void)
{
    for (int byte = 0x20; byte < 0x7F; byte++) {
        int token = byte > 0x20 && !strchr("()<>@,;:\\\"/[]?=", byte);
        kinds[byte] = (Byte)((token ? TOKEN | TYPE : 0) | (token && byte != '*' ? NAME : 0)
            | (byte == '?' ? TYPE : 0) | (byte != '"' && byte != '\\' ? QUOTED : 0));
    }
}

/* Each returns the first byte after those it skips; the text ends in a NUL, which has no kind. */
static const Byte *
run(const Byte *at, Byte kind)
{
    while (kinds[*at] & kind)
        at++;
    return at;
}

static const Byte *
space(const Byte *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* Returns a name in lower case. */
static PyObject *
lower(const Byte *at, const Byte *end)
{
    char folded[LONGEST];
    Py_ssize_t size = end - at;
    for (Py_ssize_t index = 0; index < size; index++)
        folded[index] = (char)(at[index] >= 'A' && at[index] <= 'Z' ? at[index] | 0x20 : at[index]);
    return PyUnicode_FromStringAndSize(folded, size);
}

/* The functions below return 1 for success, 0 for a text that is not plain, -1 for an error. */

static int
put(PyObject *parameters, const Byte *name, const Byte *name_end, const Byte *value,
    const Byte *value_end)
{
    PyObject *key = lower(name, name_end);
    PyObject *text = PyUnicode_FromStringAndSize((const char *)value, value_end - value);
    int result = !key || !text ? -1 : PyDict_GetItemWithError(parameters, key) ? 0
        : PyErr_Occurred() || PyDict_SetItem(parameters, key, text) ? -1 : 1;
    Py_XDECREF(key);
    Py_XDECREF(text);
    return result;
}

/* *( ";" [ parameter ] ) */
static int
read_parameters(const Byte *at, const Byte *end, PyObject *parameters)
{
    while (at < end) {
        const Byte *name, *name_end, *value, *value_end;
        if (*at != ';')
            return 0;
        name = space(at + 1);
        name_end = at = run(name, NAME);
        if (name == name_end)
            continue;
        if (*at != '=' || name_end - name > LONGEST)
            return 0;
        if (at[1] == '"') {
            value = at + 2;
            value_end = run(value, QUOTED);
            if (*value_end != '"')
                return 0;
            at = value_end + 1;
        }
        else {
            value = at + 1;
            at = value_end = run(value, TOKEN);
            if (value == value_end)
                return 0;
        }
        at = space(at);
        int result = put(parameters, name, name_end, value, value_end);
        if (result != 1)
            return result;
    }
    return 1;
}

/* Reads type, subtype and parameters, and makes a value from them. */
static int
make(const Parser *parser, const Byte *text, Py_ssize_t size, PyObject **made)
{
    const Byte *slash = run(text, TYPE), *subtype = slash + 1, *end;
    if (slash == text || *slash != '/' || slash - text > LONGEST)
        return 0;
    end = run(subtype, TYPE);
    if (end == subtype || end - subtype > LONGEST)
        return 0;
    /* In the `uri.` tree case is data. */
    if (end - subtype >= 4 && (subtype[0] | 0x20) == 'u' && (subtype[1] | 0x20) == 'r'
        && (subtype[2] | 0x20) == 'i' && subtype[3] == '.')
        return 0;
    const Byte *rest = space(end);
    int plain = 1;
    PyObject *parts[PARTS] = {NULL, NULL, NULL};
    if (rest == text + size)
        parts[2] = Py_NewRef(parser->no_parameters);
    else if ((parts[2] = PyDict_New()))
        plain = read_parameters(rest, text + size, parts[2]);
    if (plain == 1) {
        parts[0] = lower(text, slash);
        parts[1] = lower(subtype, end);
        *made = parser->allocate(parser->made, 0);
        for (int index = 0; index < PARTS; index++)
            if (!*made || !parts[index] || parser->set(parser->parts[index], *made, parts[index])) {
                Py_CLEAR(*made);
                plain = -1;
                break;
            }
    }
    for (int index = 0; index < PARTS; index++)
        Py_XDECREF(parts[index]);
    return plain;
}

/* Returns the value of a text and remembers it; the memory is emptied when it is full. */
static PyObject *
read_text(const Parser *parser, PyObject *text)
{
    PyObject *made = NULL;
    Py_ssize_t size = 0;
    const Byte *bytes = NULL;
    if (PyUnicode_Check(text) && !(bytes = (const Byte *)PyUnicode_AsUTF8AndSize(text, &size)))
        /* Half a surrogate pair, which the grammar explains. */
        PyErr_Clear();
    int plain = bytes ? make(parser, bytes, size, &made) : 0;
    if (plain == 0)
        made = PyObject_CallFunctionObjArgs(parser->read, text, NULL);
    if (made && size <= parser->longest) {
        if (PyDict_Size(parser->memory) >= parser->most)
            PyDict_Clear(parser->memory);
        if (PyDict_SetItem(parser->memory, text, made))
            Py_CLEAR(made);
    }
    return made;
}

static PyObject *
parse(PyObject *self, PyObject *text)
{
    const Parser *parser = (const Parser *)self;
    PyObject *found = PyDict_GetItemWithError(parser->memory, text);
    return found ? Py_NewRef(found) : PyErr_Occurred() ? NULL : read_text(parser, text);
}

static void
drop(PyObject *self)
{
    Parser *parser = (Parser *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int index = 0; index < PARTS; index++)
        Py_XDECREF(parser->parts[index]);
    Py_DECREF(parser->memory);
    Py_DECREF(parser->read);
    Py_DECREF(parser->no_parameters);
    Py_DECREF(parser->made);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF((PyObject *)type);
}

/* The `__self__` of the function; it has a type of its own, which pickle can be told about. */
static PyType_Slot slots[] = {{Py_tp_dealloc, drop}, {0, NULL}};
static PyType_Spec spec = {
    "cturi_rdf.content_type._parser.Parser", sizeof(Parser), 1,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots,
};

PyDoc_STRVAR(parser_doc,
"parser(made, no_parameters, read, memory, most, longest, doc)\n--\n\n"
"Return a function that makes values of the class `made`.\n\n"
"It remembers in a dictionary what it made of the texts that are not too long, `most` of them.\n"
"`read` takes the texts that it does not read.");

static PyObject *
new_parser(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *made, *no_parameters, *read, *memory;
    Py_ssize_t most, longest;
    const char *doc;
    if (!PyArg_ParseTuple(arguments, "O!O!OO!nns", &PyType_Type, &made, &PyDict_Type,
                          &no_parameters, &read, &PyDict_Type, &memory, &most, &longest, &doc))
        return NULL;
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpec(&spec);
    PyObject *self = type ? PyType_GenericAlloc(type, (Py_ssize_t)strlen(doc) + 1) : NULL;
    PyObject *result = NULL;
    /* The value keeps its type. */
    Py_XDECREF((PyObject *)type);
    if (!self)
        return NULL;
    Parser *parser = (Parser *)self;
    parser->no_parameters = Py_NewRef(no_parameters);
    parser->read = Py_NewRef(read);
    parser->memory = Py_NewRef(memory);
    parser->made = (PyTypeObject *)Py_NewRef(made);
    parser->allocate = (allocfunc)PyType_GetSlot(parser->made, Py_tp_alloc);
    parser->most = most;
    parser->longest = longest;
    parser->method = (PyMethodDef){"parse", parse, METH_O, strcpy(parser->doc, doc)};
    for (int index = 0; index < PARTS; index++)
        if (!(parser->parts[index] = PyObject_GetAttrString(made, names[index])))
            goto done;
    parser->set = (descrsetfunc)PyType_GetSlot(Py_TYPE(parser->parts[0]), Py_tp_descr_set);
    result = PyCFunction_NewEx(&parser->method, self, NULL);
done:
    /* The function keeps its parts alive. */
    Py_DECREF(self);
    return result;
}

static PyMethodDef methods[] = {
    {"parser", new_parser, METH_VARARGS, parser_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_parser", NULL, 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__parser(void)
{
    fill_kinds();
    return PyModule_Create(&module);
}

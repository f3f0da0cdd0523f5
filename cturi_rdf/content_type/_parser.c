/* Reads plain headers, as most are; all others are left to the whole grammar, in Python.

   A test checks that both readings, this and `read_plain_in_python`, give the same results. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <string.h>

typedef unsigned char Byte;

/* The kinds of characters: RFC 9110 section 5.6.2, token; the same without "*", which has a
   meaning in RFC 2231; characters that stand for themselves in a quoted string. */
enum { TOKEN = 1, NAME = 2, QUOTED = 4 };
static Byte kinds[256];

/* A longer name is left to the grammar. */
enum { LONGEST = 255 };

static void
fill_kinds(void)
{
    for (int byte = 0x20; byte < 0x7F; byte++) {
        int token = byte > 0x20 && !strchr("()<>@,;:\\\"/[]?={}", byte);
        kinds[byte] = (Byte)((token ? TOKEN : 0) | (token && byte != '*' ? NAME : 0)
            | (byte != '"' && byte != '\\' ? QUOTED : 0));
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

/* Returns type, subtype and parameters, or None for a text that is not plain. */
static PyObject *
read_plain(PyObject *Py_UNUSED(module), PyObject *text)
{
    Py_ssize_t size;
    const Byte *start = (const Byte *)PyUnicode_AsUTF8AndSize(text, &size);
    if (!start) {
        /* Half a surrogate pair, which the grammar explains. */
        if (!PyUnicode_Check(text))
            return NULL;
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    const Byte *slash = run(start, TOKEN), *subtype = slash + 1, *end, *rest;
    if (slash == start || *slash != '/' || slash - start > LONGEST)
        Py_RETURN_NONE;
    end = run(subtype, TOKEN);
    if (end == subtype || end - subtype > LONGEST)
        Py_RETURN_NONE;
    /* In the `uri.` tree case is data. */
    if (end - subtype >= 4 && (subtype[0] | 0x20) == 'u' && (subtype[1] | 0x20) == 'r'
        && (subtype[2] | 0x20) == 'i' && subtype[3] == '.')
        Py_RETURN_NONE;
    rest = space(end);
    PyObject *parameters = PyDict_New();
    int plain = parameters ? read_parameters(rest, start + size, parameters) : -1;
    if (plain != 1) {
        Py_XDECREF(parameters);
        return plain ? NULL : Py_NewRef(Py_None);
    }
    return Py_BuildValue("(NNN)", lower(start, slash), lower(subtype, end), parameters);
}

PyDoc_STRVAR(read_plain_doc,
"read_plain(text)\n--\n\n"
"Return type, subtype and parameters of a plain header, or None for any other text.");

static PyMethodDef methods[] = {
    {"read_plain", read_plain, METH_O, read_plain_doc},
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

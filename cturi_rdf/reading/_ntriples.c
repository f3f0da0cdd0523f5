/* The statements of a block of N-Triples or N-Quads, read whole at the speed of memory.

   This does the same as `ntriples.py` does in Python: it finds the malformed lines, the
   statements with some predicates, grouped by the text after the subject, and the literals with
   some datatypes.  A test checks that both give the same result for any bytes.

   Reading uses no objects of Python, so it runs on all cores; only the results become objects.
   Every line ends in a line feed, and no term goes past one, so only the loop over the lines
   compares with the end of the block. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char Byte;

/* The productions in which a byte is an ordinary character (N-Triples section 7). */
enum { IRI = 1, TEXT = 2, LABEL = 4, HEX = 8, LETTER = 16, DIGIT = 32, ESCAPE = 64 };
static Byte kinds[256];

static void
fill_kinds(void)
{
    const char *at;
    for (int byte = 0; byte < 0x80; byte++) {
        int letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
        int digit = byte >= '0' && byte <= '9';
        kinds[byte] = (Byte)((byte > 0x20 && !strchr("<>\"{}|^`\\", byte) ? IRI : 0)
            | (byte != '"' && byte != '\\' && byte != '\n' && byte != '\r' ? TEXT : 0)
            | (letter || digit || byte == '_' || byte == ':' ? LABEL : 0)
            | (letter ? LETTER : 0) | (digit ? DIGIT | HEX : 0));
    }
    for (at = "abcdefABCDEF"; *at; at++)
        kinds[(Byte)*at] |= HEX;
    for (at = "tbnrf\"'\\"; *at; at++)
        kinds[(Byte)*at] |= ESCAPE;
}

/* The functions below read one production from `at` and return its end, or NULL. */

/* A character of more than one byte (RFC 3629, section 4). */
static const Byte *
character(const Byte *at)
{
    Byte first = at[0], low = 0x80, high = 0xBF;
    int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (first < 0xC2 || first > 0xF4)
        return NULL;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
    if (at[1] < low || at[1] > high)
        return NULL;
    for (int index = 2; index <= more; index++)
        if (at[index] < 0x80 || at[index] > 0xBF)
            return NULL;
    return at + 1 + more;
}

/* UCHAR, for a character: no surrogate, nothing past U+10FFFF, and none that IRIs forbid. */
static const Byte *
numeric_escape(const Byte *at, Byte kind)
{
    int digits = at[1] == 'u' ? 4 : at[1] == 'U' ? 8 : 0;
    uint32_t code = 0;
    if (!digits)
        return NULL;
    for (at += 2; digits; digits--, at++) {
        if (!(kinds[*at] & HEX))
            return NULL;
        code = code << 4 | (uint32_t)(*at <= '9' ? *at - '0' : (*at | 0x20) - 'a' + 10);
    }
    if (kind == IRI && code < 0x80 && !(kinds[code] & IRI))
        return NULL;
    return code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) ? NULL : at;
}

/* Returns the first byte that is not of a kind, IRI or TEXT, or one less than sixteen bytes
   from the end; where the compiler has vectors, sixteen bytes are compared at once. */
static inline const Byte *
by_sixteen(const Byte *at, const Byte *end, Byte kind)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    typedef signed char Vector __attribute__((vector_size(16)));
    for (; end - at >= 16; at += 16) {
        Vector bytes, bad;
        uint64_t words[2];
        memcpy(&bytes, at, sizeof bytes);
        if (kind == TEXT)
            bad = (bytes < 0) | (bytes == '"') | (bytes == '\\') | (bytes == '\n')
                | (bytes == '\r');
        else /* "<" and ">" differ only in bit 1, and so do "\" and "^". */
            bad = (bytes <= 0x20) | ((bytes | 2) == '>') | ((bytes | 2) == '^')
                | (bytes == '"') | (bytes == '`') | (bytes == '{') | (bytes == '|')
                | (bytes == '}');
        memcpy(words, &bad, sizeof words);
        if (words[0])
            return at + __builtin_ctzll(words[0]) / 8;
        if (words[1])
            return at + 8 + __builtin_ctzll(words[1]) / 8;
    }
#endif
    return at;
}

/* All bytes of a kind, characters beyond ASCII, and escapes if there may be some. */
static inline const Byte *
run(const Byte *at, const Byte *end, Byte kind, Byte escapes)
{
    for (;;) {
        if (kind != LABEL)
            at = by_sixteen(at, end, kind);
        while (kinds[*at] & kind)
            at++;
        if (*at >= 0x80)
            at = character(at);
        else if (*at == '\\' && (kinds[at[1]] & escapes))
            at += 2;
        else if (*at == '\\' && kind != LABEL)
            at = numeric_escape(at, kind);
        else
            return at;
        if (!at)
            return NULL;
    }
}

static const Byte *
iri(const Byte *at, const Byte *end)
{
    at = run(at + 1, end, IRI, 0);
    return at && *at == '>' ? at + 1 : NULL;
}

/* BLANK_NODE_LABEL, with any character beyond ASCII. */
static const Byte *
blank_node(const Byte *at, const Byte *end)
{
    if (at[1] != ':' || !(kinds[at[2]] & LABEL || at[2] >= 0x80))
        return NULL;
    at += 2;
    for (;;) {
        const Byte *dots;
        at = run(at, end, LABEL, 0);
        if (!at)
            return NULL;
        for (dots = at; *dots == '.' || *dots == '-'; dots++)
            ;
        /* A dot at the end ends the statement; a hyphen may end a label. */
        while (!(kinds[*dots] & LABEL || *dots >= 0x80) && dots > at && dots[-1] == '.')
            dots--;
        if (dots == at)
            return at;
        at = dots;
    }
}

static const Byte *
space(const Byte *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* Sets `datatype` to where its IRI begins, if there is one. */
static const Byte *
literal(const Byte *at, const Byte *end, const Byte **datatype)
{
    at = run(at + 1, end, TEXT, ESCAPE);
    if (!at || *at != '"')
        return NULL;
    at++;
    if (*at == '@') {
        if (!(kinds[at[1]] & LETTER))
            return NULL;
        for (at++; kinds[*at] & LETTER; at++)
            ;
        while (*at == '-' && kinds[at[1]] & (LETTER | DIGIT))
            for (at++; kinds[*at] & (LETTER | DIGIT); at++)
                ;
        /* The base direction, --ltr or --rtl. */
        if (*at == '-' && at[1] == '-' && (at[2] == 'l' || at[2] == 'r') && at[3] == 't'
            && at[4] == (at[2] == 'l' ? 'r' : 'l') && !(kinds[at[5]] & (LETTER | DIGIT)))
            at += 5;
        return at;
    }
    const Byte *type = space(at);
    if (*type != '^')
        return at;
    type = type[1] == '^' ? space(type + 2) : type;
    *datatype = type;
    return *type == '<' ? iri(type, end) : NULL;
}

static const Byte *
node(const Byte *at, const Byte *end)
{
    return *at == '<' ? iri(at, end) : *at == '_' ? blank_node(at, end) : NULL;
}

/* A statement of interest: its subject, and the next statement in its group. */
typedef struct { const Byte *subject, *subject_end; int next; } Statement;

/* A text that several lines share: everything from the predicate on, or a literal. */
typedef struct {
    const Byte *text, *text_end;
    uint64_t hash;
    int first, last, count;
    Py_ssize_t size; /* of the subjects, each with a line feed */
} Group;

typedef struct { void *items; size_t count, room; } Array;

/* Groups by their text; `table` has one more than the index of a group, or 0. */
typedef struct {
    Array items;
    int *table;
    size_t slots;
} Groups;

/* The results for a block. */
typedef struct {
    Array statements, malformed;
    Groups by_rest, literals;
    int blank;
} Found;

/* Returns room for one more item, which does not count yet, or NULL. */
static void *
room(Array *array, size_t size)
{
    if (array->count == array->room) {
        size_t more = array->room ? array->room * 2 : 64;
        void *larger = realloc(array->items, more * size);
        if (!larger)
            return NULL;
        array->items = larger;
        array->room = more;
    }
    return (char *)array->items + array->count * size;
}

/* The predicates of interest; there are few, so they are compared one by one. */
typedef struct { const Byte *text; size_t size; } Known;
typedef struct { Known *items; size_t count; } Predicates;

/* A line that has been read: its subject, the text after it, and its literal if that has a
   datatype of interest. */
typedef struct {
    Statement statement;
    const Byte *rest, *literal, *literal_end;
} Line;

static int
is_known(const Predicates *known, const Byte *at, size_t size)
{
    for (size_t index = 0; index < known->count; index++)
        if (known->items[index].size == size && !memcmp(known->items[index].text, at, size))
            return 1;
    /* A text with an escape may be any IRI. */
    return memchr(at, '\\', size) != NULL;
}

/* The result of reading a line. */
enum { MALFORMED, NOTHING, OF_INTEREST };

/* An IRI that was read before and need not be read again: no IRI goes past its ">".
   `next` is the index of the IRI that followed. */
typedef struct { const Byte *text; size_t size; int of_interest, next; } Seen;

/* The settings for reading lines, and the terms that are likely to repeat: the subject of the
   line before, and the latest predicates. */
enum { REMEMBERED = 32 };
typedef struct {
    const Predicates *known;
    Known datatypes; /* the beginning of the IRIs of interest; empty for none */
    int quads, last;
    unsigned count;
    Seen subject, predicates[REMEMBERED];
} Reader;

static inline int
is_seen(const Seen *seen, const Byte *at, const Byte *end)
{
    return seen->size && (size_t)(end - at) > seen->size && !memcmp(at, seen->text, seen->size);
}

static const Byte *
subject(Reader *reader, const Byte *at, const Byte *end)
{
    const Byte *after;
    if (is_seen(&reader->subject, at, end))
        return at + reader->subject.size;
    after = node(at, end);
    reader->subject.size = after && *at == '<' ? (size_t)(after - at) : 0;
    reader->subject.text = at;
    return after;
}

static const Byte *
predicate(Reader *reader, const Byte *at, const Byte *end, int *of_interest)
{
    Seen *all = reader->predicates;
    int which = all[reader->last].next;
    if (!is_seen(&all[which], at, end)) {
        const Byte *after = *at == '<' ? iri(at, end) : NULL;
        if (!after)
            return NULL;
        size_t size = (size_t)(after - at);
        for (which = 0; which < REMEMBERED; which++)
            if (all[which].size == size && is_seen(&all[which], at, end))
                break;
        if (which == REMEMBERED) {
            which = (int)(reader->count++ % REMEMBERED);
            all[which] = (Seen){at, size, is_known(reader->known, at, size), which};
        }
        all[reader->last].next = which;
    }
    reader->last = which;
    *of_interest = all[which].of_interest;
    return at + all[which].size;
}

static int
line(Reader *reader, const Byte *at, const Byte *end, Line *found)
{
    int of_interest = 0;
    found->literal = NULL;
    at = space(at);
    if (*at != '\n' && *at != '#') {
        const Byte *datatype = NULL;
        size_t size = reader->datatypes.size;
        found->statement.subject = at;
        if (!(at = subject(reader, at, end)))
            return MALFORMED;
        found->statement.subject_end = at;
        found->rest = at = space(at);
        if (!(at = predicate(reader, at, end, &of_interest)))
            return MALFORMED;
        const Byte *object = at = space(at);
        if (!(at = *at == '"' ? literal(at, end, &datatype) : node(at, end)))
            return MALFORMED;
        if (size && datatype && (size_t)(at - datatype) > size
            && !memcmp(datatype, reader->datatypes.text, size)) {
            found->literal = object;
            found->literal_end = at;
        }
        at = space(at);
        if (reader->quads && (*at == '<' || *at == '_')) {
            if (!(at = node(at, end)))
                return MALFORMED;
            at = space(at);
        }
        if (*at != '.')
            return MALFORMED;
        at = space(at + 1);
    }
    if (*at == '#')
        while (at && *at != '\n' && *at != '\r')
            at = *at >= 0x80 ? character(at) : at + 1;
    return at != end ? MALFORMED : of_interest ? OF_INTEREST : NOTHING;
}

/* SipHash-1-3 (Aumasson and Bernstein), so that no input can be made with equal hashes.
   Its key is set from Python's own hashes of two words. */
static uint64_t key[2];

#define ROTATED(x, bits) ((x) << (bits) | (x) >> (64 - (bits)))

static void
sip_round(uint64_t v[4])
{
    v[0] += v[1]; v[1] = ROTATED(v[1], 13) ^ v[0]; v[0] = ROTATED(v[0], 32);
    v[2] += v[3]; v[3] = ROTATED(v[3], 16) ^ v[2];
    v[0] += v[3]; v[3] = ROTATED(v[3], 21) ^ v[0];
    v[2] += v[1]; v[1] = ROTATED(v[1], 17) ^ v[2]; v[2] = ROTATED(v[2], 32);
}

static uint64_t
hash_of(const Byte *at, const Byte *end)
{
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                     key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
    uint64_t last = (uint64_t)(end - at) << 56, word;
    for (; end - at >= 8; at += 8) {
        memcpy(&word, at, 8);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    for (int shift = 0; at < end; at++, shift += 8)
        last |= (uint64_t)*at << shift;
    v[3] ^= last;
    sip_round(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    for (int index = 0; index < 3; index++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Returns the slot of a group in the table, or a free slot for it; the table is never full. */
static int *
slot(const Groups *all, const Byte *text, const Byte *end, uint64_t hash)
{
    const Group *groups = all->items.items;
    for (size_t at = hash & (all->slots - 1);; at = (at + 1) & (all->slots - 1)) {
        const Group *group = all->table[at] ? &groups[all->table[at] - 1] : NULL;
        if (!group || (group->hash == hash && group->text_end - group->text == end - text
                       && !memcmp(group->text, text, (size_t)(end - text))))
            return &all->table[at];
    }
}

static int
widen(Groups *all)
{
    const Group *groups = all->items.items;
    size_t slots = all->slots ? all->slots * 4 : 256;
    int *table = calloc(slots, sizeof(int));
    if (!table)
        return -1;
    free(all->table);
    all->table = table;
    all->slots = slots;
    for (size_t index = 0; index < all->items.count; index++)
        *slot(all, groups[index].text, groups[index].text_end, groups[index].hash)
            = (int)index + 1;
    return 0;
}

/* Returns the group of a text, with its count increased, or NULL where there is no memory. */
static Group *
counted(Groups *all, const Byte *text, const Byte *end)
{
    uint64_t hash = hash_of(text, end);
    Group *group;
    if (all->items.count * 2 >= all->slots && widen(all))
        return NULL;
    int *place = slot(all, text, end, hash);
    if (*place)
        group = (Group *)all->items.items + *place - 1;
    else {
        if (!(group = room(&all->items, sizeof(Group))))
            return NULL;
        *group = (Group){text, end, hash, 0, 0, 0, 0};
        *place = (int)++all->items.count;
    }
    group->count++;
    return group;
}

/* Puts the statement of a line into its group. */
static int
put(Found *found, const Line *read, const Byte *end)
{
    Statement *statement = room(&found->statements, sizeof(Statement));
    Group *group = counted(&found->by_rest, read->rest, end);
    if (!statement || !group)
        return -1;
    int last = (int)found->statements.count++;
    *statement = read->statement;
    if (group->count == 1)
        group->first = last;
    else
        ((Statement *)found->statements.items)[group->last].next = last;
    group->last = last;
    group->size += statement->subject_end - statement->subject + 1;
    found->blank |= *statement->subject == '_';
    return 0;
}

/* Reads all lines; returns their number, or -1 where there is no memory. */
static Py_ssize_t
read_lines(Reader *reader, const Byte *at, const Byte *end, Found *found)
{
    Py_ssize_t lines = 0;
    Line read = {0};
    for (; at < end; lines++) {
        const Byte *next = memchr(at, '\n', (size_t)(end - at));
        int kind = line(reader, at, next, &read);
        if (kind == MALFORMED) {
            Py_ssize_t *number = room(&found->malformed, sizeof(Py_ssize_t));
            if (!number)
                return -1;
            *number = lines;
            found->malformed.count++;
        }
        else if ((kind == OF_INTEREST && put(found, &read, next))
                 || (read.literal
                     && !counted(&found->literals, read.literal, read.literal_end)))
            return -1;
        at = next + 1;
    }
    return lines;
}

static PyObject *
subjects_of(const Group *group, const Statement *statements)
{
    PyObject *subjects = PyBytes_FromStringAndSize(NULL, group->size);
    char *to = subjects ? PyBytes_AsString(subjects) : NULL;
    for (int index = group->first; to; index = statements[index].next) {
        size_t size = (size_t)(statements[index].subject_end - statements[index].subject);
        memcpy(to, statements[index].subject, size);
        to[size] = '\n';
        to += size + 1;
        if (index == group->last)
            break;
    }
    return subjects;
}

/* Returns the number of each text, with the subjects before it where there are statements. */
static PyObject *
by_text(const Groups *all, const Statement *statements)
{
    const Group *groups = all->items.items;
    PyObject *result = PyDict_New();
    for (size_t index = 0; result && index < all->items.count; index++) {
        const Group *group = &groups[index];
        PyObject *text = PyBytes_FromStringAndSize((const char *)group->text,
                                                   group->text_end - group->text);
        PyObject *subjects = statements ? subjects_of(group, statements) : NULL;
        PyObject *value = !statements ? PyLong_FromLong(group->count)
            : subjects ? Py_BuildValue("Ni", subjects, group->count) : NULL;
        if (!text || !value || PyDict_SetItem(result, text, value))
            Py_CLEAR(result);
        Py_XDECREF(text);
        Py_XDECREF(value);
    }
    return result;
}

static PyObject *
numbers(const Array *malformed)
{
    PyObject *list = PyList_New((Py_ssize_t)malformed->count);
    for (size_t index = 0; list && index < malformed->count; index++) {
        PyObject *number = PyLong_FromSsize_t(((Py_ssize_t *)malformed->items)[index]);
        if (!number || PyList_SetItem(list, (Py_ssize_t)index, number))
            Py_CLEAR(list);
    }
    return list;
}

static int
take_predicates(PyObject *tuple, Predicates *known)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0 || !(known->items = malloc((size_t)(count + 1) * sizeof(Known))))
        return -1;
    for (Py_ssize_t index = 0; index < count; index++) {
        char *text;
        Py_ssize_t size;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, index), &text, &size))
            return -1;
        known->items[known->count++] = (Known){(const Byte *)text, (size_t)size};
    }
    return 0;
}

PyDoc_STRVAR(find_doc,
"find(block, predicates, quads, datatypes)\n--\n\n"
"Return what is found in a block: subjects, malformed lines, the number of all lines, literals.");

static PyObject *
find(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *predicates, *groups = NULL, *literals = NULL, *malformed = NULL, *result = NULL;
    Py_buffer block;
    const char *datatypes;
    int quads;
    Py_ssize_t lines, size;
    Predicates known = {0};
    Found found = {0};

    if (!PyArg_ParseTuple(arguments, "y*O!py#", &block, &PyTuple_Type, &predicates, &quads,
                          &datatypes, &size))
        return NULL;
    const Byte *at = block.buf, *end = at + block.len;
    if (at < end && end[-1] != '\n') {
        PyErr_SetString(PyExc_ValueError, "a block of whole lines ends in a line feed");
        goto done;
    }
    /* A statement has eight bytes or more, and the number of one is an int. */
    if (block.len / 8 > INT_MAX) {
        PyErr_NoMemory();
        goto done;
    }
    if (take_predicates(predicates, &known)) {
        if (!PyErr_Occurred())
            PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    Reader reader = {.known = &known, .quads = quads,
                     .datatypes = {(const Byte *)datatypes, (size_t)size}};
    lines = read_lines(&reader, at, end, &found);
    Py_END_ALLOW_THREADS
    if (lines < 0) {
        PyErr_NoMemory();
        goto done;
    }
    groups = by_text(&found.by_rest, found.statements.items);
    literals = groups ? by_text(&found.literals, NULL) : NULL;
    malformed = literals ? numbers(&found.malformed) : NULL;
    if (malformed)
        result = Py_BuildValue("OOnOO", groups, malformed, lines,
                               found.blank ? Py_True : Py_False, literals);
done:
    Py_XDECREF(groups);
    Py_XDECREF(literals);
    Py_XDECREF(malformed);
    free(known.items);
    free(found.statements.items);
    free(found.malformed.items);
    free(found.by_rest.items.items);
    free(found.by_rest.table);
    free(found.literals.items.items);
    free(found.literals.table);
    PyBuffer_Release(&block);
    return result;
}

static PyMethodDef methods[] = {
    {"find", find, METH_VARARGS, find_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_ntriples", NULL, 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__ntriples(void)
{
    static const char *words[2] = {"first", "second"};
    for (int index = 0; index < 2; index++) {
        PyObject *word = PyUnicode_FromString(words[index]);
        if (!word)
            return NULL;
        key[index] = (uint64_t)PyObject_Hash(word);
        Py_DECREF(word);
    }
    fill_kinds();
    return PyModule_Create(&module);
}

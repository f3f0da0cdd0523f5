/* Room on a disk for what is going to be written, which Python cannot ask for by itself:
   its `posix_fallocate` writes zeros where the file system has no such call. */

#define _GNU_SOURCE
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>
#ifdef __linux__
#include <fcntl.h>
#endif

PyDoc_STRVAR(reserve_doc,
"reserve(descriptor, start, size)\n--\n\n"
"Ask for room behind a file, whose size stays; return whether there is some now.");

static PyObject *
reserve(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    int descriptor, failed = 1;
    long long start, size;
    if (!PyArg_ParseTuple(arguments, "iLL", &descriptor, &start, &size))
        return NULL;
#if defined(__linux__) && defined(FALLOC_FL_KEEP_SIZE)
    Py_BEGIN_ALLOW_THREADS
    failed = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, (off_t)start, (off_t)size);
    Py_END_ALLOW_THREADS
#endif
    return PyBool_FromLong(!failed);
}

static PyMethodDef methods[] = {
    {"reserve", reserve, METH_VARARGS, reserve_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_reserve", NULL, 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__reserve(void)
{
    return PyModule_Create(&module);
}

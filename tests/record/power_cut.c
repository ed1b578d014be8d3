/* A disk that has what was synced and nothing else: loaded before the C library, it notes in the folder POWER_CUT what a
   process syncs and what it sends, in one order.

   S INODE BYTES  a file was synced up to here; FOLDER/INODE is a link to it, so that it stays readable after it was removed
   F 0 PATH       a folder was synced, with the entries that follow
   D INODE PATH   an entry
   O HEX          bytes on their way to somebody: into a pipe, a socket or a terminal */

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void note(const char *line, size_t length)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/trace", getenv("POWER_CUT"));
    int trace = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (trace < 0 || syscall(SYS_write, trace, line, length) != (long)length)
        abort();
    close(trace);
}

static void note_file(int file, const struct stat *facts)
{
    char line[64], own[32], kept[PATH_MAX];
    snprintf(own, sizeof own, "/proc/self/fd/%d", file);
    snprintf(kept, sizeof kept, "%s/%lu", getenv("POWER_CUT"), (unsigned long)facts->st_ino);
    if (linkat(AT_FDCWD, own, AT_FDCWD, kept, AT_SYMLINK_FOLLOW) < 0 && errno != EEXIST)
        return; /* it has no name any more */
    note(line, snprintf(line, sizeof line, "S %lu %ld\n", (unsigned long)facts->st_ino, (long)facts->st_size));
}

static void note_folder(int file)
{
    char own[32], folder[PATH_MAX], line[2 * PATH_MAX];
    snprintf(own, sizeof own, "/proc/self/fd/%d", file);
    ssize_t length = readlink(own, folder, sizeof folder - 1);
    if (length < 0)
        abort();
    folder[length] = 0;
    note(line, snprintf(line, sizeof line, "F 0 %s\n", folder));
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            note(line, snprintf(line, sizeof line, "D %lu %s/%s\n", (unsigned long)entry->d_ino, folder, entry->d_name));
    if (entries)
        closedir(entries);
}

int fsync(int file)
{
    struct stat facts;
    if (fstat(file, &facts) < 0)
        return -1;
    if (S_ISREG(facts.st_mode))
        note_file(file, &facts);
    if (S_ISDIR(facts.st_mode))
        note_folder(file);
    return 0;
}

int fdatasync(int file)
{
    return fsync(file);
}

static void note_sent(int file, const struct iovec *parts, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    struct stat facts;
    size_t length = 0, at = 2;
    if (fstat(file, &facts) < 0 || S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode))
        return;
    for (size_t part = 0; part < count; part++)
        length += parts[part].iov_len;
    char *line = malloc(2 * length + 3);
    memcpy(line, "O ", 2);
    for (size_t part = 0; part < count; part++)
        for (size_t byte = 0; byte < parts[part].iov_len; byte++) {
            unsigned char value = ((const unsigned char *)parts[part].iov_base)[byte];
            line[at++] = digits[value >> 4];
            line[at++] = digits[value & 15];
        }
    line[at++] = '\n';
    note(line, at);
    free(line);
}

ssize_t write(int file, const void *data, size_t length)
{
    note_sent(file, &(struct iovec){(void *)data, length}, 1);
    return syscall(SYS_write, file, data, length);
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
    note_sent(file, parts, count);
    return syscall(SYS_writev, file, parts, count);
}

ssize_t send(int file, const void *data, size_t length, int flags)
{
    note_sent(file, &(struct iovec){(void *)data, length}, 1);
    return syscall(SYS_sendto, file, data, length, flags, NULL, 0);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags)
{
    note_sent(file, message->msg_iov, message->msg_iovlen);
    return syscall(SYS_sendmsg, file, message, flags);
}

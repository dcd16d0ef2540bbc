"""What memdir promises of every file, process and answer, and the tests that show it.

The README prints the table; ``tests/test_promises.py`` holds it to tests that exist and that nothing leaves out.
"""

from __future__ import annotations

#: By promise: the words of the README, and ``file::test`` below ``tests``.
PROMISES: dict[str, tuple[str, tuple[str, ...]]] = {
    "P1 no torn file": (
        "After any fault in any verb every file is as before or as after, byte for byte.",
        ("test_crash_sweep.py::test_a_fault_at_any_call_leaves_all_or_nothing",
         "storage/test_transaction_killed.py::test_a_kill_at_any_call_is_healed_to_all_or_nothing"),
    ),
    "P2 healed after a crash": (
        "The next command, or `repair`, leaves index and files at one and nothing half done.",
        ("storage/test_transaction_faults.py::test_a_crash_at_any_call_is_healed_to_all_or_nothing",
         "operations/test_repair.py::test_killed_at_any_moment_the_next_repair_heals"),
    ),
    "P3 how a file is written": (
        "Beside its target, synced, swapped, its folder synced; nothing is opened to be overwritten.",
        ("storage/test_write_protocol.py::test_a_change_keeps_the_protocol",),
    ),
    "P4 no lost update": (
        "Sixteen writers at once lose nothing that was acknowledged, also where some are killed.",
        ("test_storm.py::test_sixteen_writers_lose_nothing",
         "test_storm.py::test_killed_writers_take_nothing_of_others_with_them",
         "test_storm.py::test_without_the_lock_the_same_storm_does_harm"),
    ),
    "P5 bounded waiting": (
        "Nobody waits for a lock longer than asked; the holder is named, and a dead one blocks nobody.",
        ("storage/test_lock.py::test_a_stopped_holder_makes_others_give_up_in_time",
         "storage/test_lock.py::test_a_waiter_gets_the_lock_as_soon_as_the_holder_dies"),
    ),
    "P6 no traceback, no hang": (
        "Whatever files and command line hold, a documented status within 2 s and 300 MB.",
        ("test_fuzz.py::test_mutated_files_are_met_with_a_documented_status",
         "test_fuzz.py::test_the_real_command_keeps_the_same_promises"),
    ),
    "P7 byte fidelity": (
        "A changed field changes its own line; comments, order, quotes and line ends stay.",
        ("storage/test_codec_corpus.py::test_git_sees_one_line_too",
         "storage/test_codec_edit.py::test_any_edit_leaves_every_other_line_alone",
         "storage/test_json_hooks.py::test_what_is_put_in_comes_out_again_without_a_trace"),
    ),
    "P8 check only reads": (
        "`check` changes no byte of a memdir and says the same in the same order.",
        ("operations/test_check.py::test_order_and_bytes_are_always_the_same",
         "operations/test_check.py::test_real_directories_give_findings_or_silence"),
    ),
    "P9 nothing outside": (
        "No name and no link leads a verb out of the memdir.",
        ("attacks/test_boundary_names.py::test_no_name_leads_out_of_a_memdir",
         "attacks/test_boundary_files.py::test_a_folder_that_is_a_link_is_never_entered",
         "operations/test_install_agents.py::test_no_link_is_followed_out_of_the_project"),
    ),
    "P10 projects are apart": (
        "What one repository keeps is never another one's, and every worktree of it has it.",
        ("test_projects.py::test_what_is_one_repositorys_is_never_another_ones",
         "probes/test_repository_identity.py::test_two_repositories_of_one_folder_name_differ",
         "probes/test_repository_identity.py::test_names_that_differ_in_odd_characters_never_meet"),
    ),
    "P11 forgotten is forgotten": (
        "The text is in no file of both memdirs, and what brings it back is found.",
        ("test_forgetting_machine.py::test_what_is_forgotten_stays_gone",
         "test_forget_storm.py::test_what_was_forgotten_in_a_storm_is_nowhere_and_the_rest_is_there"),
    ),
    "P12 hidden text shows": (
        "Every hidden character is a finding, and the scripts that need some of them are not.",
        ("domain/test_hidden.py::test_every_code_point_is_seen_in_latin_text",
         "domain/test_hidden.py::test_a_thousand_lines_in_many_scripts_are_silent"),
    ),
    "P13 secrets stay out": (
        "Known formats are refused and found, benign lines are not, and none is ever printed.",
        ("domain/test_secrets.py::test_every_format_is_found_where_it_stands",
         "domain/test_secrets.py::test_benign_lines_are_silent",
         "cli/test_secrets_stay_out.py::test_a_secret_is_refused_without_echo"),
    ),
    "P14 bombs are refused": (
        "Aliases, depth, size and odd bytes are findings in little time and memory.",
        ("attacks/test_bombs.py::test_a_file_that_grows_does_no_harm",
         "attacks/test_bombs.py::test_a_header_that_grows_is_found"),
    ),
    "P15 special files never block": (
        "Pipes, sockets, devices and folders in the place of a file are findings at once.",
        ("attacks/test_boundary_files.py::test_nothing_but_a_file_is_taken_for_one",
         "checks/test_file_rules.py::test_special_files_never_block"),
    ),
    "P16 output for programs": (
        "Off a terminal no colour, no wrapping, no question; one ASCII document with `--json`.",
        ("cli/test_rendering.py::test_columns_are_whole_and_nothing_in_them_is_interpreted",
         "cli/test_streams.py::test_an_open_pipe_at_stdin_is_not_waited_for",
         "cli/test_streams.py::test_a_reader_that_goes_away_is_not_an_error_to_hear_of"),
    ),
    "P17 any locale": (
        "The exit status is that of UTF-8 in every locale.",
        ("cli/test_streams.py::test_in_any_locale_the_exit_status_is_that_of_utf8",),
    ),
    "P18 honest time": (
        "One meaning of a date everywhere; nothing is fresh for ever, and reading renews nothing.",
        ("cli/test_dates.py::test_each_form_of_a_date_has_one_meaning_everywhere",
         "cli/test_dates.py::test_a_date_to_come_is_no_eternal_freshness",
         "cli/test_dates.py::test_a_clock_that_is_set_back_loses_no_update"),
    ),
    "P19 no false alarm": (
        "Only a script that a memory cites makes it stale, however package.json is written.",
        ("probes/test_probes.py::test_edits_of_package_json",
         "probes/test_real_histories.py::test_the_verdict_that_the_manifest_expects"),
    ),
    "P20 hooks of git": (
        "What is staged is judged, in every kind of commit; index and stash stay as they are.",
        ("test_hooks.py::test_a_commit_with_a_fault_is_stopped_and_nothing_else_moves",
         "operations/test_staged.py::test_deletions_and_renames_count"),
    ),
    "P21 scale": (
        "Time grows with the number of memories and no faster; no cache ever makes an answer a wrong one.",
        ("benchmarks/test_table.py::test_figures_are_ratios_to_the_bare_interpreter_of_their_own_run",
         "benchmarks/test_limits.py::test_no_command_over_a_small_memdir_is_dear",
         "operations/test_repeating.py::test_no_history_makes_it_answer_what_is_not_so",
         "operations/test_repeating.py::test_each_of_these_is_noticed_or_changes_nothing",
         "operations/test_cached_reads.py::test_no_history_lets_a_cache_change_an_answer"),
    ),
    "P22 a quiet watch": (
        "Its own writes and all reads cause nothing; a thousand writes cause a handful of refreshes.",
        ("cli/test_watch.py::test_what_it_writes_itself_causes_nothing",
         "cli/test_watch.py::test_a_thousand_writes_are_answered_by_a_handful_of_refreshes",
         "cli/test_watch.py::test_a_limit_of_the_system_makes_it_poll"),
    ),
    "P23 every corruption has a name": (
        "One planted fault is one finding with its code, file and line; a clean memdir has none.",
        ("checks/test_plants.py::test_corruption_has_its_name",
         "checks/test_plants.py::test_clean_memdir_is_silent",
         "checks/test_file_rules.py::test_example_that_fires"),
    ),
    "P24 merges": (
        "Two branches merge, or `check` says what to type; no marker is taken for text.",
        ("sharing/test_pairs.py::test_every_pair_of_verbs_merges",
         "sharing/test_pairs.py::test_a_clone_without_the_driver_is_told_what_to_type",
         "sharing/test_convergence.py::test_three_machines_converge"),
    ),
}  # fmt: skip
